import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

type Listed = { orgId: string; name: string } & Record<string, unknown>
type Page = { orgs: Listed[]; nextCursor: string | null }

let server: TestServer
let support: Person
let ada: Person
let team: Person
beforeAll(async () => {
  server = await startTestServer()
  support = await server.person({ staff: 'support' })
  server.clock.advance({ minutes: 1 })
  ada = await server.person({ email: 'ada@lagos.example' })
  server.clock.advance({ minutes: 1 })
  team = await server.person({ email: 'grace@nairobi.example', type: 'team' })
  await server.sql.rows`update orgs set name = 'Savanna 50%_off' where id = ${team.orgId}`
  await server.member(team.orgId, 'admin')
  await server.member(team.orgId, 'member')
})
afterAll(() => server.close())

const list = (query: Record<string, string> = {}, as: Person = support) =>
  server.call<Page>('GET', '/admin/orgs', { as, query })
const found = async (query: Record<string, string>) => (await list(query)).body.orgs.map(({ orgId }) => orgId)
const show = (id: string, as: Person = support) => server.call('GET', `/admin/orgs/${id}`, { as })

describe('GET /admin/orgs', () => {
  test('200 to all staff: complete rows, newest first', async () => {
    await giveCredit(server, ada.orgId, 12_345n)
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.orgs.slice(0, 2).map(({ orgId }) => orgId)).not.toContain(support.orgId)
    expect(body.orgs.find(({ orgId }) => orgId === ada.orgId)).toEqual({
      orgId: ada.orgId,
      name: 'ada@lagos.example',
      type: 'individual',
      tier: 'individual',
      subscriptionStatus: 'none',
      kycStatus: 'unsubmitted',
      members: 1,
      suspended: false,
      suspendedAt: null,
      suspendedReason: null,
      suspendedByEmail: null,
      closed: false,
      closedAt: null,
      plan: null,
      residencyRegion: null,
      dataIsolation: 'shared',
      currency: 'NGN',
      balanceMinor: 12_345n,
      heldMinor: 0n,
      createdAt: expect.any(String),
    })
    expect(body.orgs.find(({ orgId }) => orgId === team.orgId)).toMatchObject({ type: 'team', members: 3 })
  })

  test('200 in pages without gaps', async () => {
    const all = await found({ limit: '200' })
    const paged: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 20; page++) {
      const { body }: { body: Page } = await list({ limit: '2', ...(cursor !== null && { cursor }) })
      paged.push(...body.orgs.map(({ orgId }) => orgId))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    expect(paged).toEqual(all)
    expect(all.indexOf(team.orgId)).toBeLessThan(all.indexOf(ada.orgId))
    expect(all.at(-1)).toBe(support.orgId)
  })

  test.for([
    ['a part of the name', 'AVANNA 50'],
    ['a part of the name with signs that mean something elsewhere', '50%_o'],
    ['the address of a member', 'grace@nairobi.example'],
    ['how the address of a member begins, whatever its case', 'Grace@Nai'],
  ] as const)('200 finds by %s', async ([, q]) => {
    expect(await found({ q })).toEqual([team.orgId])
  })

  test('200 finds by id, and treats wildcards literally', async () => {
    expect(await found({ q: ada.orgId })).toEqual([ada.orgId])
    for (const q of ['sav%off', 'a_a@lagos', '@nairobi.example', ada.orgId.slice(0, -1)])
      expect(await found({ q })).toEqual([])
    expect(await found({ q: 'savanna', tier: 'individual' })).toEqual([])
  })

  test('200 filters by tier, verification and suspension', async () => {
    const other = await server.person({ type: 'team' })
    await server.sql
      .rows`update orgs set suspended_at = ${server.clock.now()}, kyc_status = 'pending' where id = ${other.orgId}`
    expect(await found({ suspended: 'true' })).toEqual([other.orgId])
    expect(await found({ suspended: 'false', tier: 'team' })).toEqual([team.orgId])
    expect(await found({ kyc: 'pending' })).toEqual([other.orgId])
  })

  test('200 shows closed organisations only on request', async () => {
    const gone = await server.person()
    await server.sql.rows`update orgs set closed_at = ${server.clock.now()} where id = ${gone.orgId}`
    expect(await found({ limit: '200' })).not.toContain(gone.orgId)
    const { orgs } = (await list({ closed: 'true' })).body
    expect(orgs).toMatchObject([
      { orgId: gone.orgId, closed: true, closedAt: server.clock.now().toISOString() },
    ])
    expect((await show(gone.orgId)).body).toMatchObject({ org: { closed: true } })
  })

  test('200 as CSV without spreadsheet formulas', async () => {
    const cunning = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set name = '=HYPERLINK("x")' where id = ${cunning.orgId}`
    const { headers, text } = await server.call('GET', '/admin/orgs', {
      as: support,
      headers: { accept: 'text/csv' },
      query: { q: 'hyperlink' },
    })
    expect(headers['content-type']).toContain('text/csv')
    const [head, row, rest] = text.split('\r\n')
    expect(head).toMatch(/^orgId,name,type,tier,.*,createdAt$/)
    expect(row).toContain(`${cunning.orgId},"'=HYPERLINK(""x"")",team,team,`)
    expect(rest).toBe('')
  })

  test('400 for invalid filters', async () => {
    for (const query of [
      { tier: 'gold' },
      { suspended: 'maybe' },
      { kyc: 'x' },
      { cursor: 'x' },
      { limit: '201' },
      { q: 'a\u0000b' },
      { q: '' },
    ])
      expect((await list(query as Record<string, string>)).status, JSON.stringify(query)).toBe(400)
  })

  test('403 to customers, and to keys of staff', async () => {
    expect((await list({}, ada)).body).toMatchObject({ code: 'staff_only' })
    const key = await server.key(support, ['metrics:read'])
    expect((await server.call('GET', '/admin/orgs', { as: key })).status).toBe(403)
  })
})

describe('GET /admin/orgs/{id}', () => {
  test('200 with members, wallet and recent staff actions', async () => {
    const biller = await server.person({ staff: 'billing' })
    const { body: given } = await server.call('POST', '/wallet/refund', {
      as: biller,
      headers: { 'idempotency-key': newId('idem') },
      body: { orgId: team.orgId, amountMinor: 700, reason: 'a gift', source: 'adjustment' },
    })
    expect(given).toMatchObject({ balanceMinor: 700n })
    const { status, body } = await show(team.orgId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      org: { orgId: team.orgId, members: 3 },
      wallet: { balanceMinor: 700n, heldMinor: 0n, availableMinor: 700n, currency: 'NGN' },
      members: [
        { userId: team.userId, email: team.email, role: 'owner' },
        { role: 'admin' },
        { role: 'member' },
      ],
      staffActions: [{ action: 'wallet.refund', actorEmail: biller.email, metadata: { reason: 'a gift' } }],
    })
  })

  test('404 for an unknown organisation', async () => {
    for (const id of [newId('org'), 'x']) expect((await show(id)).status).toBe(404)
  })

  test('403 to its own owner', async () => {
    expect((await show(team.orgId, team)).status).toBe(403)
  })
})
