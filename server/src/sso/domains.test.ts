// Email domains: claimed by name, verified by a DNS record, and owned by one organisation.

import { type FakeDns, startDns } from '@cowrie/testkit/fakes/dns.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { actionsIn } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { isPublicMail, normaliseDomain } from './domain-names.ts'

let server: TestServer
let operator: Person
let dns: FakeDns
beforeAll(async () => {
  dns = await startDns()
  server = await startTestServer({ variables: { SERVICE_DNS_SERVER: dns.server } })
  operator = await server.person({ staff: 'operator' })
})
afterAll(async () => {
  await server.close()
  dns.close()
})

type Domain = {
  domain: string
  verified: boolean
  txtRecord: string
  foundAt: string | null
  problem: string | null
}
const newDomain = (): string => `${newId('dom').replace('_', '-')}.test`

async function newOrg() {
  const { orgId } = await server.person({ type: 'team' })
  const path = `/orgs/${orgId}/sso/domains`
  return {
    orgId,
    add: (domain: string) => server.call<Domain>('POST', path, { as: operator, body: { domain } }),
    list: async () => (await server.call<{ domains: Domain[] }>('GET', path, { as: operator })).body.domains,
    remove: (domain: string) => server.call('DELETE', `${path}/${domain}`, { as: operator }),
  }
}

describe('a domain', () => {
  test('is claimed first, and verified once its record is found', async () => {
    const { orgId, add, list, remove } = await newOrg()
    const domain = newDomain()
    const claimed = await add(domain)
    expect(claimed).toMatchObject({
      status: 200,
      body: {
        domain,
        verified: false,
        txtRecord: expect.stringMatching(/^cowrie-verification=[\w-]{32}$/),
        txtNames: [`_cowrie-challenge.${domain}`, domain],
        foundAt: null,
        problem: null,
      },
    })
    expect(dns.queries, 'the first call only claims').not.toContain(domain)
    expect((await add(domain)).body).toMatchObject({ verified: false, problem: 'record_missing' })
    dns.texts.set(`_cowrie-challenge.${domain}`, [claimed.body.txtRecord])
    expect((await add(domain)).body).toMatchObject({
      verified: true,
      txtRecord: claimed.body.txtRecord,
      foundAt: `_cowrie-challenge.${domain}`,
      problem: null,
    })
    dns.texts.clear()
    expect((await add(domain)).body, 'it stays').toMatchObject({ verified: true })
    expect(await list()).toMatchObject([{ domain, verified: true }])
    expect((await remove(domain)).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await actionsIn(server, orgId)).toEqual([
      'orgs.sso.domains.add',
      'orgs.sso.domains.verify',
      'orgs.sso.domains.remove',
    ])
  })

  test('can have the record at its own name, among others and split', async () => {
    const { add } = await newOrg()
    const domain = newDomain()
    const { txtRecord } = (await add(domain)).body
    dns.texts.set(domain, ['v=spf1 -all', 'x'.repeat(600), txtRecord])
    expect((await add(domain)).body).toMatchObject({ verified: true, foundAt: domain })
  })

  test.for<[string, (record: string) => string]>([
    ['a part of it', (record) => record.slice(0, -1)],
    ['more than it', (record) => `${record}x`],
    ['it in other letters', (record) => record.toUpperCase()],
    ['it inside another', (record) => `v=spf1 ${record} -all`],
  ])('is not verified by a record with %s', async ([, twist]) => {
    const { add } = await newOrg()
    const domain = newDomain()
    const { txtRecord } = (await add(domain)).body
    dns.texts.set(domain, [twist(txtRecord)])
    expect((await add(domain)).body).toMatchObject({ verified: false, problem: 'record_missing' })
  })

  test('is not verified by the record of another organisation', async () => {
    const [ours, theirs] = [await newOrg(), await newOrg()]
    const domain = newDomain()
    const { txtRecord } = (await theirs.add(domain)).body
    await ours.add(domain)
    dns.texts.set(domain, [txtRecord])
    expect((await ours.add(domain)).body.verified).toBe(false)
    expect((await theirs.add(domain)).body.verified).toBe(true)
  })

  test('stays unverified while the name server fails, and the reply reports it', async () => {
    const { add } = await newOrg()
    const domain = newDomain()
    await add(domain)
    dns.texts.set(domain, null)
    expect((await add(domain)).body).toMatchObject({ verified: false, problem: 'dns_unreachable' })
  })

  test('that another organisation has verified is taken', async () => {
    const [first, second, third] = [await newOrg(), await newOrg(), await newOrg()]
    const domain = newDomain()
    const records = [(await first.add(domain)).body.txtRecord, (await second.add(domain)).body.txtRecord]
    dns.texts.set(domain, records)
    // Both have seen the domain as free before either finds the record.
    const { promise, resolve } = Promise.withResolvers<void>()
    dns.gate = promise
    const racing = [first.add(domain), second.add(domain)]
    const asked = () => dns.queries.filter((name) => name === domain).length
    await expect.poll(asked, { timeout: 10_000 }).toBe(2)
    resolve()
    const replies = await Promise.all(racing)
    expect(replies.map(({ status }) => status).sort(), 'of two at once one gets it').toEqual([200, 409])
    expect(await third.add(domain)).toMatchObject({ status: 409, body: { code: 'domain_taken' } })
    const winner = replies[0]?.status === 200 ? first : second
    await winner.remove(domain)
    expect((await third.add(domain)).status).toBe(200)
  })

  test('is claimed once by many calls at once', async () => {
    const { add, list } = await newOrg()
    const domain = newDomain()
    const replies = await Promise.all([add(domain), add(domain), add(domain)])
    expect(new Set(replies.map(({ body }) => body.txtRecord)).size).toBe(1)
    expect(await list()).toHaveLength(1)
  })

  test('beyond a hundred is not claimed, and one that is claimed is still shown', async () => {
    const { orgId, add } = await newOrg()
    const domain = newDomain()
    expect((await add(domain)).status).toBe(200)
    await server.sql.rows`
      insert into sso_domains (org_id, domain, token, created_at)
      select ${orgId}, n || ${`.${domain}`}, 'x', ${server.clock.now()} from generate_series(1, 99) n`
    expect(await add(newDomain())).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    expect((await add(domain)).status).toBe(200)
  })

  test.for(['gmail.com', 'GMail.com', 'outlook.com', 'yahoo.com', 'proton.me'])(
    'where everybody has an address is refused: %s',
    async (domain) => {
      const { add } = await newOrg()
      expect(await add(domain)).toMatchObject({ status: 422, body: { code: 'domain_refused' } })
    },
  )

  test.for([
    '',
    'test',
    'a b.test',
    '127.0.0.1',
    'https://x.test',
    'x.test/y',
    '-x.test',
    '*.test',
    'a@b.test',
    '..',
  ])('must be well-formed: not %j', async (domain) => {
    const { add } = await newOrg()
    expect(await add(domain)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })
})

describe('the name of a domain', () => {
  test.for([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    [' example.com ', 'example.com'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['ex%61mple.com', null],
    ['example.com#x', null],
    ['example.com:80', null],
    [`${'a'.repeat(64)}.com`, null],
    [`${'a.'.repeat(127)}com`, null],
  ])('%j is kept as %j', ([given, kept]) => {
    expect(normaliseDomain(given ?? '')).toBe(kept)
  })

  test('of a public mail provider matches as a whole', () => {
    expect(isPublicMail('gmail.com')).toBe(true)
    expect(isPublicMail('notgmail.com')).toBe(false)
  })
})
