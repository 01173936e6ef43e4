// Sign-in and sign-out against the real service, with a manual clock.
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Machine } from '../src/system/machine.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let ada: Person
let home: string
const path = () => join(home, 'cowrie', 'credentials.json')

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  ada = await server.person({ email: 'ada@example.com' })
})
afterAll(() => server.close())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
  // The service limits pending requests per address.
  await server.sql.rows`delete from device_logins`
})

type StoredKey = { key: string; id: string | null }
type Stored = {
  current: string | null
  services: Record<string, { org: string; keys: Record<string, StoredKey> }>
}
const stored = async (): Promise<Stored> => JSON.parse(await readFile(path(), 'utf8')) as Stored
const storedKey = async (at = url): Promise<StoredKey> => {
  const kept = (await stored()).services[at]
  return kept?.keys[kept.org] ?? { key: '', id: null }
}
const isValid = async (key: string): Promise<boolean> =>
  (await server.call('GET', '/me', { as: { bearer: key } })).status === 200
const cli = (args: string[], options: CommandOptions = {}) =>
  cowrie(args, { ...options, env: { XDG_CONFIG_HOME: home, ...options.env } })
const codeIn = ({ stderr }: CommandResult): string => /[B-Z]{4}-[B-Z]{4}/.exec(stderr)?.[0] ?? ''

/** Signs in, and acts before the n-th poll. */
async function login(
  args: string[],
  person: (poll: number, code: string) => unknown,
  { machine = {}, ...options }: CommandOptions = {},
): Promise<CommandResult & { pausesMs: number[] }> {
  const result = { code: -1, stdout: '', stderr: '' }
  const pausesMs: number[] = []
  const simulatedClock: Partial<Machine> = {
    hostName: 'kudu',
    nowMs: () => server.clock.now().getTime(),
    async sleep(ms) {
      server.clock.advance({ ms })
      await person(pausesMs.push(ms), codeIn(result))
    },
    ...machine,
  }
  await cli(['auth', 'login', ...args], { ...options, machine: simulatedClock, result })
  return { ...result, pausesMs }
}

const decide = (verb: 'approve' | 'deny', code: string) =>
  server.call('POST', `/auth/device/${code}/${verb}`, { as: ada })
const approveAt = (when: number) => (poll: number, code: string) =>
  poll === when ? decide('approve', code) : undefined
const signIn = (...args: string[]) => login(['--server', url, ...args], approveAt(1))

describe('login', () => {
  test('shows an address and a code, waits for the approval, and stores the key', async () => {
    const { code, stdout, stderr, pausesMs } = await login(['--server', `${url}/`], approveAt(3))
    expect(code).toBe(0)
    expect(stderr).toContain('Open http://cowrie.test/app/device in a browser')
    expect(pausesMs).toEqual([5000, 5000, 5000])
    const { key, id } = await storedKey()
    expect(stdout).toBe(`Signed in to ${url} as ada@example.com.\nThe key is in ${path()}.\n`)
    expect(stdout + stderr).not.toContain(key.slice(0, 12))
    expect([(await stat(path())).mode & 0o777, (await stat(join(home, 'cowrie'))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
    expect(await server.sql.rows`select name from api_keys where id = ${id}`).toEqual([
      { name: 'Cowrie CLI on kudu' },
    ])
    const me = await cli(['auth', 'status', '--json'])
    expect(JSON.parse(me.stdout)).toMatchObject({ email: 'ada@example.com' })
    expect(JSON.parse(me.stdout).scopes.sort()).toEqual(['agent:run', 'metrics:read', 'wallet:read'])
  })

  test('--json prints the code immediately and the outcome at the end, never the key', async () => {
    const { code, stdout, stderr } = await signIn('--json', '--scopes', 'wallet:read', '--scopes=keys:manage')
    expect(code).toBe(0)
    expect(JSON.parse(stderr)).toMatchObject({
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verificationUrl: 'http://cowrie.test/app/device',
      expiresIn: 600,
    })
    const { key, id } = await storedKey()
    expect(JSON.parse(stdout)).toEqual({
      baseUrl: url,
      userId: ada.userId,
      orgId: ada.orgId,
      keyId: id,
      scopes: ['wallet:read', 'keys:manage'],
      path: path(),
    })
    expect(stdout + stderr).not.toContain(key)
  })

  test('that is denied exits with 1 and stores nothing', async () => {
    const { code, stdout, stderr } = await login(['--server', url], (_, shown) => decide('deny', shown))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('(access_denied')
    await expect(stat(path())).rejects.toThrow('ENOENT')
  })

  test('without a decision ends when the request expires', async () => {
    const { code, stderr, pausesMs } = await login(['--server', url], () => undefined)
    expect(code).toBe(1)
    expect(stderr).toContain('(expired')
    const waitedMs = pausesMs.reduce((sum, ms) => sum + ms, 0)
    expect(waitedMs).toBe(600_000)
  })

  test('opens the page with --open, and reports a missing browser', async () => {
    const opened: string[] = []
    const openBrowser = async (page: string) => opened.push(page) > 1
    const first = await login(['--server', url, '--open'], approveAt(1), { machine: { openBrowser } })
    const second = await login(['--server', url, '--open'], approveAt(1), { machine: { openBrowser } })
    expect(opened).toEqual([
      `http://cowrie.test/app/device#code=${codeIn(first)}`,
      `http://cowrie.test/app/device#code=${codeIn(second)}`,
    ])
    expect(first.stderr).toContain('No browser could be opened')
    expect(second.stderr).not.toContain('No browser')
  })

  test('again replaces the key and revokes the previous one', async () => {
    await signIn()
    const first = await storedKey()
    await signIn()
    const second = await storedKey()
    expect([await isValid(first.key), await isValid(second.key)]).toEqual([false, true])
  })

  test('again keeps the previous key while clients depend on it, and a logout names them', async () => {
    const env = { HOME: home }
    const all = ['--server', url, '--scopes', 'agent:run,wallet:read,keys:manage']
    await login(all, approveAt(1), { env })
    const first = await storedKey()
    expect((await cli(['setup', 'aider', '--yes'], { env })).code).toBe(0)
    const client =
      /openai-api-key: (\S+)/.exec(await readFile(join(home, '.aider.conf.yml'), 'utf8'))?.[1] ?? ''
    const { stderr } = await login(all, approveAt(1), { env })
    expect(stderr).toContain(`The previous key ${first.id} stays valid: it created the keys of aider.`)
    expect([await isValid(first.key), await isValid(client)]).toEqual([true, true])
    await cli(['setup', 'aider', '--yes'], { env })
    expect((await cli(['keys', 'revoke', first.id ?? ''], { env })).code).toBe(0)
    expect((await cli(['setup', 'aider', '--check'], { env })).code).toBe(0)
    expect((await cli(['auth', 'logout'], { env })).stderr).toContain('The keys of aider are revoked too.')
    expect((await cli(['setup', 'aider', '--check'], { env })).code).toBe(4)
  })

  test('is offered by a setup that needs the permission to create keys', async () => {
    const env = { HOME: home }
    await login(['--server', url], approveAt(1), { env })
    const result = { code: -1, stdout: '', stderr: '' }
    let lines = 0
    async function* stdin() {
      for (; lines < 2; lines++) yield 'y\n'
      await new Promise(() => undefined)
    }
    const sleep = async (ms: number) => {
      server.clock.advance({ ms })
      await decide('approve', codeIn(result))
    }
    const nowMs = () => server.clock.now().getTime()
    await cli(['setup', 'aider'], { env, result, machine: { isStdinTerminal: true, stdin, sleep, nowMs } })
    expect(result.stderr).toContain('needs the scope keys:manage. Sign in again for it? [y/N]')
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('aider now uses') })
  })

  test('that is interrupted after the approval has stored the key', async () => {
    const interrupt = new AbortController()
    const fakeService = await startFakeService(
      json(200, {
        deviceCode: 'secret',
        userCode: 'BCDF-GHJK',
        verificationUrl: 'http://cowrie.test/app/device',
        verificationUrlComplete: 'http://cowrie.test/app/device#code=BCDF-GHJK',
        interval: 5,
        expiresIn: 600,
        expiresAt: '2026-11-15T12:10:00.000Z',
      }),
      json(200, { key: 'csk_made', id: 'key_made', userId: 'usr_1', orgId: 'org_1', scopes: [] }),
      () => interrupt.abort(),
    )
    const options = { signal: interrupt.signal }
    const { code } = await login(['--server', fakeService.url], () => undefined, options)
    await fakeService.close()
    expect(code).toBe(2)
    expect(await storedKey(fakeService.url)).toMatchObject({ key: 'csk_made', id: 'key_made' })
  })

  test('refuses unknown scopes', async () => {
    const { code, stderr } = await signIn('--scopes', 'everything')
    expect(code).toBe(1)
    expect(stderr).toContain('\n  scopes.0: ')
  })

  test('sends no request if the key could not be stored', async () => {
    const before = await server.sql.rows`select id from device_logins`
    const blocked = { env: { XDG_CONFIG_HOME: join(import.meta.dirname, 'login.test.ts') } }
    for (const options of [blocked, { env: { XDG_CONFIG_HOME: '' } }]) {
      const { code, stderr } = await login(['--server', url], () => undefined, options)
      expect(code).toBe(1)
      expect(stderr).toMatch(/credentials_unusable|no_home/)
    }
    expect(await server.sql.rows`select id from device_logins`).toEqual(before)
  })

  test('warns if the key would be sent unencrypted', async () => {
    const aborted = AbortSignal.abort()
    for (const host of ['cowrie.invalid', 'localhost.cowrie.invalid', '127.cowrie.invalid']) {
      const far = await cli(['auth', 'login', '--server', `http://${host}`], { signal: aborted })
      expect([far.code, far.stderr]).toEqual([2, expect.stringContaining('is not encrypted')])
    }
    const near = await cli(['auth', 'login', '--server', 'http://localhost:9'], { signal: aborted })
    expect([near.code, near.stderr]).toEqual([2, ''])
  })
})

describe('login --with-key', () => {
  const withKey = (text: string, ...args: string[]) =>
    cli(['auth', 'login', '--server', url, '--with-key', ...args], {
      machine: {
        isStdinTerminal: false,
        async *stdin() {
          yield* text
        },
      },
    })

  test('stores a key from stdin; logout removes it without revoking it', async () => {
    const { bearer, id } = await server.key(ada, ['wallet:read'])
    const { code, stdout } = await withKey(`  ${bearer}\r\nmore\n`)
    expect([code, stdout]).toEqual([0, expect.stringContaining('ada@example.com')])
    expect(await storedKey()).toMatchObject({ key: bearer, id, origin: 'given' })
    const out = await cli(['auth', 'logout'])
    expect([out.code, out.stderr]).toEqual([
      0,
      expect.stringContaining(`${id} was not created by a login and still works`),
    ])
    expect(await isValid(bearer)).toBe(true)
    expect((await stored()).services).toEqual({})
  })

  test.for([
    { it: 'a line', first: (key: string) => `${key}\n`, code: 0 },
    { it: 'an invalid key', first: () => 'x'.repeat(5_000), code: 64 },
  ])('reads $it from endless input', async ({ first, code }) => {
    const { bearer } = await server.key(ada, [])
    const { promise: never } = Promise.withResolvers<string>()
    const machine = {
      isStdinTerminal: true,
      async *stdin() {
        yield first(bearer)
        yield never
      },
    }
    const ended = await cli(['auth', 'login', '--server', url, '--with-key'], { machine })
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining('Paste the key')])
  })

  test('refuses a key that does not work', async () => {
    const { code, stderr } = await withKey('csk_wrong\n')
    expect([code, stderr]).toEqual([4, expect.stringContaining('(unauthenticated')])
    await expect(stat(path())).rejects.toThrow('ENOENT')
  })

  test.for([
    { text: '', args: [], says: 'no key on its first line' },
    { text: 'two words', args: [], says: 'no key on its first line' },
    { text: 'x'.repeat(5_000), args: [], says: 'no key on its first line' },
    { text: 'x', args: ['--open'], says: '--with-key cannot be combined with' },
  ])('refuses: $says', async ({ text, args, says }) => {
    expect(await withKey(text, ...args)).toMatchObject({ code: 64, stderr: expect.stringContaining(says) })
  })
})

describe('logout', () => {
  test('revokes the key at the service and removes it', async () => {
    await signIn()
    const { key, id } = await storedKey()
    const { code, stdout } = await cli(['auth', 'logout', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      baseUrl: url,
      ended: [{ orgId: ada.orgId, keyId: id, revoked: true }],
    })
    expect(await isValid(key)).toBe(false)
    expect(await stored()).toEqual({ current: null, services: {} })
    const again = await cli(['auth', 'logout', '--server', url])
    expect([again.code, again.stdout]).toEqual([0, `No key is stored for ${url}.\n`])
  })

  test('of a key that was revoked elsewhere succeeds', async () => {
    await signIn()
    const { id } = await storedKey()
    await server.call('DELETE', `/auth/keys/${id}`, { as: ada })
    expect(await cli(['auth', 'logout'])).toMatchObject({ code: 0, stderr: '' })
    expect((await stored()).services).toEqual({})
  })

  test('without the service removes the key and reports that it still works', async () => {
    const replica = await startTestServer({ url: server.url, clock: server.clock })
    const away = await replica.listen()
    await login(['--server', away], approveAt(1))
    const { key, id } = await storedKey(away)
    await replica.close()
    const { code, stdout, stderr } = await cli(['auth', 'logout'])
    expect([code, stdout]).toEqual([0, `Removed the key of ada@example.com at ${away} from this computer.\n`])
    expect(stderr).toContain(`${id} could not be revoked and still works: ${away} cannot be reached`)
    expect((await stored()).services).toEqual({})
    expect(await isValid(key)).toBe(true)
  })
})

describe('the stored key', () => {
  test('is sent only to its service', async () => {
    await signIn()
    const other = await startFakeService(json(401, { error: 'Sign in.', code: 'unauthenticated' }))
    const { code, stderr } = await cli(['auth', 'status', '--base-url', other.url])
    await other.close()
    expect([code, stderr]).toEqual([4, expect.stringContaining('Run "cowrie auth login"')])
    expect(other.requests[0]?.headers.authorization).toBeUndefined()
  })

  test('is overridden by COWRIE_API_KEY, which is sent to the given address', async () => {
    await signIn()
    const bola = await server.person({ email: 'bola@example.com' })
    const env = { COWRIE_API_KEY: bola.bearer, COWRIE_URL: url }
    expect((await cli(['auth', 'status'], { env })).stdout).toContain('bola@example.com')
    expect((await cli(['auth', 'logout'], { env })).stderr).toContain('COWRIE_API_KEY is set')
  })

  test('that is no longer valid is named in the error', async () => {
    await signIn()
    const { id } = await storedKey()
    await server.call('DELETE', `/auth/keys/${id}`, { as: ada })
    const { code, stderr } = await cli(['auth', 'status'])
    expect([code, stderr]).toEqual([4, expect.stringContaining('The stored key was revoked or has expired')])
  })

  test('is not used if others can read it, and no other key is stored', async () => {
    await signIn()
    await chmod(path(), 0o644)
    const env = { COWRIE_URL: url }
    const me = await cli(['auth', 'status'], { env })
    expect(me.code).toBe(4)
    expect(me.stderr).toContain('is readable by other users and is ignored. Run "chmod 600" on it.')
    expect(me.stderr).toContain('(unauthenticated')
    expect((await signIn()).stderr).toContain('(credentials_unusable)')
    expect((await cli(['auth', 'logout', '--json'], { env })).code).toBe(1)
    await chmod(path(), 0o600)
    expect((await cli(['auth', 'status'])).code).toBe(0)
  })
})
