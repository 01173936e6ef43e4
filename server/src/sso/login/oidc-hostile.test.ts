// Attacks by a provider or a man in the middle. None opens a session or causes a server error.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type HostileProvider,
  macWithPublicKey,
  publicPart,
  reply,
  signed,
  unsigned,
} from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { makeKey, signInThrough } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { expectRefused, openHostileOrg, sessionsOf } from '@cowrie/testkit/sso/hostile.ts'
import { MachineClock, roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

test('without an attack, the fake provider signs users in', async () => {
  const { provider, email, orgId } = await openHostileOrg(server)
  const browser = server.visitor()
  expect((await signInThrough(provider, browser, { email })).headers.location).toBe('/app')
  expect(await sessionsOf(server, email)).toBe(1)
  expect(await roleOf(server, orgId, email)).toBe('member')
})

describe('a token is refused', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const stranger = makeKey('RS256')

  test.for<[string, (provider: HostileProvider) => void]>([
    [
      'that is not signed',
      (p) => {
        p.header = { alg: 'none' }
        p.encode = unsigned
      },
    ],
    [
      'that claims a signature and has none',
      (p) => {
        p.encode = unsigned
      },
    ],
    [
      'with a MAC keyed with the public key',
      (p) => {
        p.header = { alg: 'HS256' }
        p.encode = (header, claims) => macWithPublicKey(header, claims, p.key)
      },
    ],
    [
      'signed with an algorithm that is not on our list',
      (p) => {
        p.header = { alg: 'RS512' }
      },
    ],
    [
      'signed by a stranger under the name of a known key',
      (p) => {
        p.encode = (header, claims) => signed(header, claims, stranger)
      },
    ],
    [
      'signed by a stranger who brings the key along',
      (p) => {
        p.header = { jwk: publicPart(stranger) }
        p.encode = (header, claims) => signed(header, claims, stranger)
      },
    ],
    [
      'with the name of a key that is a path or a statement',
      (p) => {
        p.header = { kid: "../../dev/null' or 1=1 --" }
        p.encode = (header, claims) => signed(header, claims, stranger)
      },
    ],
    [
      'with an unknown critical header',
      (p) => {
        p.header = { crit: ['b64'], b64: false }
      },
    ],
    [
      'for another audience',
      (p) => {
        p.claims.aud = 'somebody-else'
      },
    ],
    [
      'for us and another audience',
      (p) => {
        p.claims.aud = ['cowrie', 'somebody-else']
        p.claims.azp = 'cowrie'
      },
    ],
    [
      'that another party asked for',
      (p) => {
        p.claims.azp = 'somebody-else'
      },
    ],
    [
      'of another issuer',
      (p) => {
        p.claims.iss = 'https://idp.example.com'
      },
    ],
    [
      'that has expired',
      (p) => {
        p.claims.exp = now() - 120
      },
    ],
    [
      'that is not good yet',
      (p) => {
        p.claims.nbf = now() + 120
      },
    ],
    [
      'from before this sign-in',
      (p) => {
        p.claims.iat = now() - 900
      },
    ],
    [
      'from the future',
      (p) => {
        p.claims.iat = now() + 900
      },
    ],
    [
      'with the nonce of another sign-in',
      (p) => {
        p.claims.nonce = 'seen-before'
      },
    ],
    [
      'without a nonce',
      (p) => {
        p.claims.nonce = undefined
      },
    ],
    [
      'without a subject',
      (p) => {
        p.claims.sub = ''
      },
    ],
    [
      'with an endless subject',
      (p) => {
        p.claims.sub = 'x'.repeat(5_000)
      },
    ],
    [
      'that is no token at all',
      (p) => {
        p.encode = () => 'x.y.z'
      },
    ],
  ])('%s', async ([, twist]) => {
    const known = await openHostileOrg(server)
    twist(known.provider)
    await expectRefused(
      server,
      known,
      await signInThrough(known.provider, server.visitor(), { email: known.email }),
    )
  })

  test('that names a key URL, which is never fetched', async () => {
    const known = await openHostileOrg(server)
    let visits = 0
    const trap = createServer((_, response) => {
      visits++
      reply(response, { keys: [publicPart(stranger)] })
    })
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void trap.close())
    const jku = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/jwks`
    known.provider.header = { jku, x5u: jku, kid: stranger.kid }
    known.provider.encode = (header, claims) => signed(header, claims, stranger)
    await expectRefused(
      server,
      known,
      await signInThrough(known.provider, server.visitor(), { email: known.email }),
    )
    expect(visits).toBe(0)
  })

  test('that was used before, with the same reply', async () => {
    const known = await openHostileOrg(server)
    const tokens: string[] = []
    const { encode } = known.provider
    known.provider.encode = (header, claims) => {
      tokens.push(encode(header, claims))
      return tokens[0] ?? ''
    }
    await signInThrough(known.provider, server.visitor(), { email: known.email })
    expect(await sessionsOf(server, known.email)).toBe(1)
    const again = await signInThrough(known.provider, server.visitor(), { email: known.email })
    expect(again).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(await sessionsOf(server, known.email)).toBe(1)
  })
})

describe('an address is not trusted', () => {
  test('of a domain that the organisation has not verified', async () => {
    const { provider, orgId } = await openHostileOrg(server)
    const victim = await server.person({ email: `${newId('usr')}@victim.test` })
    provider.claims = { sub: 'mallory', email: victim.email, email_verified: true }
    await expectRefused(server, victim, await signInThrough(provider, server.visitor(), { orgId }))
    expect(await roleOf(server, orgId, victim.email)).toBeUndefined()
  })

  test('and the log has the reason without the address', async () => {
    const { provider, orgId } = await openHostileOrg(server)
    const email = `${newId('usr')}@victim.test`
    provider.claims = { sub: 'mallory', email, email_verified: true }
    const answer = await signInThrough(provider, server.visitor(), { orgId })
    expect(answer.text).not.toContain('domain')
    const lines = server.logged.filter((line) => line.includes(orgId) && line.includes('not verified'))
    expect(lines).toHaveLength(1)
    expect(lines.join()).not.toContain(email)
  })

  test('of a domain that another organisation has verified', async () => {
    const mallory = await openHostileOrg(server)
    const victim = await openHostileOrg(server)
    await server.person({ email: victim.email })
    mallory.provider.claims = { sub: 'ada', email: victim.email, email_verified: true }
    await expectRefused(
      server,
      victim,
      await signInThrough(mallory.provider, server.visitor(), { orgId: mallory.orgId }),
    )
  })

  test.for([false, 'false', 0, 'no'])(
    'when the provider says %j about its being verified',
    async (verdict) => {
      const known = await openHostileOrg(server)
      await server.person({ email: known.email })
      known.provider.claims.email_verified = verdict
      await expectRefused(
        server,
        known,
        await signInThrough(known.provider, server.visitor(), { email: known.email }),
      )
    },
  )

  test('when it only looks like one of the domain', async () => {
    const known = await openHostileOrg(server)
    for (const email of [
      `ada@evil.test@${known.domain}`,
      `ada@${known.domain}.evil.test`,
      `ada@${known.domain}\u0000.evil.test`,
      `ada@evil.test,ada@${known.domain}`,
      `ada@sub.${known.domain}`,
      `ada@${known.domain}/evil.test`,
      `ada@${known.domain}?x.evil.test`,
      `ada@${known.domain.replace('t', '%74')}`,
      known.domain,
      [known.email],
      { toString: known.email },
    ]) {
      known.provider.claims.email = email
      const answer = await signInThrough(known.provider, server.visitor(), { orgId: known.orgId })
      expect(answer, JSON.stringify(email)).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    }
    expect(await sessionsOf(server, known.email)).toBe(0)
  })

  test.for([
    'a\u0000b',
    'a\u0001b',
    'a\u0085b',
    'a\u200bb',
    'a\u202eb',
    'a\ud800b',
    'a\udc00',
    'İ'.repeat(110),
    'a'.repeat(235),
  ])('when no account of ours could have it: %j', async (local) => {
    const known = await openHostileOrg(server)
    known.provider.claims.email = `${local}@${known.domain}`
    const answer = await signInThrough(known.provider, server.visitor(), { orgId: known.orgId })
    await expectRefused(server, known, answer)
  })
})

test.for(['\u0000', 'ada\u0000', 'ada\u0085', 'ada\ud800', 'ada\u0007'])(
  'an invalid subject is refused: %j',
  async (sub) => {
    const known = await openHostileOrg(server)
    known.provider.claims.sub = sub
    const answer = await signInThrough(known.provider, server.visitor(), { email: known.email })
    await expectRefused(server, known, answer)
  },
)

test.for<[string, string | null]>([
  ['Ada\u0000 Lovelace', 'Ada  Lovelace'],
  ['\u0000\u0085\u2028', null],
  ['Ada\ud800', 'Ada\ufffd'],
  ['\u202eecalevoL', 'ecalevoL'],
  [`${'x'.repeat(199)}\u{1f9ea}`, `${'x'.repeat(199)}`],
  ['x'.repeat(5_000), 'x'.repeat(200)],
])('the valid part of a name is kept: %j', async ([name, kept]) => {
  const known = await openHostileOrg(server)
  known.provider.claims.name = name
  const answer = await signInThrough(known.provider, server.visitor(), { email: known.email })
  expect(answer.headers.location).toBe('/app')
  const user = await server.sql.one`select name from users where email = ${known.email}`
  expect(user).toEqual({ name: kept })
})
