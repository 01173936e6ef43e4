import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, giveManyCredits, grantAllowance, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import type { LedgerEntry } from './ledger/ledger.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Page = { entries: (LedgerEntry & { createdAt: string })[]; nextCursor: string | null }

const ledger = (as: Person, query: Record<string, string> = {}): Promise<Reply<Page>> =>
  server.call<Page>('GET', '/wallet/ledger', { as, query })

describe('GET /wallet', () => {
  describe('200', () => {
    test('is empty at first and in the currency of the organisation', async () => {
      const person = await server.person()
      expect((await server.call('GET', '/wallet', { as: person })).body).toEqual({
        balanceMinor: 0n,
        heldMinor: 0n,
        availableMinor: 0n,
        includedRemainingMinor: 0n,
        trialMinor: 0n,
        trialExpiresAt: null,
        currency: 'NGN',
      })
    })

    test('shows balance, held, available and included money, also to an API key without scopes', async () => {
      const person = await server.person()
      await giveCredit(server, person.orgId, 1000n)
      await grantAllowance(server, person.orgId, 100n)
      await holdSome(server, person, 350n)
      expect((await server.call('GET', '/wallet', { as: await server.key(person, []) })).body).toEqual({
        balanceMinor: 1000n,
        heldMinor: 250n,
        availableMinor: 750n,
        includedRemainingMinor: 0n,
        trialMinor: 0n,
        trialExpiresAt: null,
        currency: 'NGN',
      })
    })
  })
})

describe('GET /wallet/ledger', () => {
  describe('200', () => {
    test('lists the changes of the balance, newest first, without reservations', async () => {
      const person = await server.person()
      await giveCredit(server, person.orgId, 1000n)
      await spend(server, person, 120n, 300n)
      await holdSome(server, person, 50n)
      const { body } = await ledger(person)
      expect(body.nextCursor).toBeNull()
      expect(body.entries).toMatchObject([
        { type: 'debit', amountMinor: 120n, source: 'agent', balanceAfterMinor: 880n },
        { type: 'credit', amountMinor: 1000n, source: 'topup', balanceAfterMinor: 1000n },
      ])
      expect(Object.keys(body.entries[0] ?? {}).sort()).toEqual([
        'amountMinor',
        'balanceAfterMinor',
        'createdAt',
        'id',
        'ref',
        'source',
        'type',
      ])
      expect(body.entries[0]?.id).toMatch(/^led_/)
    })

    test('shows no entries of other organisations', async () => {
      const [mine, other] = [await server.person(), await server.person()]
      await giveCredit(server, other.orgId, 500n)
      expect((await ledger(mine)).body.entries).toEqual([])
    })

    test('of another organisation is visible to staff only', async () => {
      const [ada, mallory] = [await server.person(), await server.person()]
      const staff = await server.person({ staff: 'support' })
      await giveCredit(server, ada.orgId, 7n)
      const read = (as: { bearer: string }, orgId: string) =>
        server.call('GET', '/wallet/ledger', { as, query: { orgId } })
      expect((await read(staff, ada.orgId)).body.entries).toMatchObject([{ amountMinor: 7n }])
      expect((await read(ada, ada.orgId)).body.entries).toMatchObject([{ amountMinor: 7n }])
      expect((await read(staff, newId('org'))).status).toBe(404)
      const key = await server.key(staff, ['wallet:read'])
      for (const as of [mallory, key])
        for (const orgId of [ada.orgId, newId('org')])
          expect(await read(as, orgId)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    })

    test('can be filtered by source, type and time', async () => {
      const person = await server.person()
      await giveCredit(server, person.orgId, 1000n)
      await giveCredit(server, person.orgId, 70n, 'adjustment')
      server.clock.advance({ hours: 1 })
      const from = server.clock.now().toISOString()
      await spend(server, person, 10n)
      server.clock.advance({ hours: 1 })
      const to = server.clock.now().toISOString()
      await spend(server, person, 20n)
      const amounts = async (query: Record<string, string>) =>
        (await ledger(person, query)).body.entries.map(({ amountMinor }) => Number(amountMinor))
      expect(await amounts({ source: 'adjustment' })).toEqual([70])
      expect(await amounts({ type: 'credit' })).toEqual([70, 1000])
      expect(await amounts({ type: 'debit' })).toEqual([20, 10])
      expect(await amounts({ from })).toEqual([20, 10])
      expect(await amounts({ from, to })).toEqual([10])
      expect(await amounts({ to: from })).toEqual([70, 1000])
      expect(await amounts({ source: 'agent', type: 'credit' })).toEqual([])
    })

    test('is paged without loss or repetition while a thousand entries are written', async () => {
      const person = await server.person()
      await giveManyCredits(server, person.orgId, 300)
      const before = (await ledger(person, { limit: '200' })).body.entries[0]?.balanceAfterMinor
      expect(before).toBe(300n)
      const writing = Promise.all(Array.from({ length: 5 }, () => giveManyCredits(server, person.orgId, 200)))
      const seen: number[] = []
      let cursor: string | null = null
      for (let page = 0; page < 100; page++) {
        const { body }: Reply<Page> = await ledger(person, { limit: '30', ...(cursor && { cursor }) })
        seen.push(...body.entries.map(({ balanceAfterMinor }) => Number(balanceAfterMinor)))
        cursor = body.nextCursor
        if (cursor === null) break
      }
      await writing
      // Each credit is 1, so the balance after it equals its number.
      const newest = seen[0] ?? 0
      expect(newest).toBeGreaterThanOrEqual(300)
      expect(seen).toEqual(Array.from({ length: newest }, (_, n) => newest - n))
      expect(cursor).toBeNull()
    })
  })

  describe('200 as CSV', () => {
    const csv = (as: Person, query: Record<string, string> = {}) =>
      server.call('GET', '/wallet/ledger', { as, query, headers: { accept: 'text/csv' } })

    test('has a header and the filtered rows', async () => {
      const person = await server.person()
      await giveCredit(server, person.orgId, 1000n)
      await spend(server, person, 120n)
      const reply = await csv(person, { type: 'debit' })
      expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
      expect(reply.headers['content-disposition']).toBe('attachment; filename="ledger.csv"')
      expect(reply.headers['x-next-cursor']).toBeUndefined()
      const [head, row, ...rest] = reply.text.split('\r\n')
      expect(head).toBe('createdAt,id,type,source,ref,amountMinor,balanceAfterMinor,currency')
      expect(row).toMatch(/^20\d\d-[^,]+Z,led_\w+,debit,agent,fixture \d+,120,880,NGN$/)
      expect(rest).toEqual([''])
    })

    test('escapes spreadsheet formulas', async () => {
      const person = await server.person()
      await giveManyCredits(server, person.orgId, 1)
      await server.sql.rows`alter table movements disable trigger no_change`
      await server.sql
        .rows`update movements set ref = '=HYPERLINK("http://x")' where org_id = ${person.orgId}`
      await server.sql.rows`alter table movements enable trigger no_change`
      expect((await csv(person)).text).toContain(`,"'=HYPERLINK(""http://x"")",`)
    })

    test('ends after 10,000 rows with a cursor for the next file', async () => {
      const person = await server.person()
      await giveManyCredits(server, person.orgId, 10_001)
      const reply = await csv(person)
      expect(reply.text.split('\r\n')).toHaveLength(10_002)
      const rest = await csv(person, { cursor: String(reply.headers['x-next-cursor']) })
      expect(rest.text.split('\r\n')).toHaveLength(3)
      expect(rest.headers['x-next-cursor']).toBeUndefined()
    })
  })

  describe('400', () => {
    test.for([
      { limit: '0' },
      { limit: '201' },
      { source: 'magic' },
      { type: 'both' },
      { from: 'yesterday' },
      { cursor: 'bm90IGEgbnVtYmVy' },
      { cursor: Buffer.from('9223372036854775808').toString('base64url') },
    ])('for %j', async (query) => {
      expect(await ledger(await server.person(), query as Record<string, string>)).toMatchObject({
        status: 400,
        body: { code: 'invalid_fields' },
      })
    })
  })
})

describe('/wallet/settings', () => {
  const get = (as: { bearer: string }) => server.call('GET', '/wallet/settings', { as })
  const set = (as: { bearer: string }, lowBalanceThresholdMinor: unknown) =>
    server.call('PATCH', '/wallet/settings', { as, body: { lowBalanceThresholdMinor } })

  describe('200', () => {
    test('shows the default threshold until the owner sets one', async () => {
      const person = await server.person()
      expect((await get(person)).body).toEqual({ lowBalanceThresholdMinor: 50_000n, currency: 'NGN' })
      expect(await set(person, 0)).toMatchObject({ status: 200, body: { lowBalanceThresholdMinor: 0n } })
      expect((await get(person)).body).toEqual({ lowBalanceThresholdMinor: 0n, currency: 'NGN' })
      expect((await set(person, 100_000_000_000)).status).toBe(200)
      const entries = await server.sql.rows<{ metadata: object }>`
        select metadata from audit_entries where org_id = ${person.orgId} and action = 'wallet.settings.set' order by seq`
      expect(entries.map(({ metadata }) => metadata)).toEqual([
        { fromMinor: 50_000n, toMinor: 0n },
        { fromMinor: 0n, toMinor: 100_000_000_000n },
      ])
    })

    test('concurrent changes record the previous value of each other', async () => {
      const person = await server.person()
      await Promise.all([1, 2, 3, 4, 5].map((minor) => set(person, minor)))
      const entries = await server.sql.rows<{ metadata: { fromMinor: bigint; toMinor: bigint } }>`
        select metadata from audit_entries where org_id = ${person.orgId} and action = 'wallet.settings.set' order by seq`
      expect(entries.map(({ metadata }) => metadata.fromMinor)).toEqual([
        50_000n,
        ...entries.slice(0, -1).map(({ metadata }) => metadata.toMinor),
      ])
    })
  })

  describe('400', () => {
    test.for([-1, 100_000_000_001, 1.5, '100', null, undefined])('for a threshold of %j', async (minor) => {
      expect((await set(await server.person(), minor)).status).toBe(400)
    })
  })

  describe('403', () => {
    test('admins can read but not change the settings, members can do neither', async () => {
      const { orgId } = await server.person({ type: 'team' })
      const [admin, member] = [await server.member(orgId, 'admin'), await server.member(orgId, 'member')]
      expect((await get(admin)).status).toBe(200)
      expect((await set(admin, 1)).status).toBe(403)
      expect((await get(member)).status).toBe(403)
    })
  })
})
