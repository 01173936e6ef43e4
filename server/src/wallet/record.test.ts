import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test/harness.ts'
import type { Tx } from '../platform/db/tx.ts'
import { give, holdSome, spend } from './money.fixture.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  await give(server, person.orgId, 1000n)
  await spend(server, person, 100n)
  await holdSome(server, person, 50n)
})
afterAll(() => server.close())

describe('movements', () => {
  test.for<[string, () => Promise<unknown>]>([
    ['changed', () => server.sql.rows`update movements set ref = 'x' where org_id = ${person.orgId}`],
    ['deleted', () => server.sql.rows`delete from movements where org_id = ${person.orgId}`],
    ['truncated', () => server.sql.rows`truncate movements`],
  ])('are not %s, not even by the owner of the tables', async ([, change]) => {
    await expect(change()).rejects.toThrow(/movements is append-only/)
  })

  test.for<[string, () => Promise<unknown>]>([
    ['that do not sum to zero', () => put(-1n, 0n, 'x 1')],
    ['below zero', () => put(-5000n, 5000n, 'x 2')],
  ])('%s are not written, not even by the owner of the tables', async ([, change]) => {
    await expect(change()).rejects.toThrow(/violates check constraint/)
  })

  test('of a cause that has moved money before are not written', async () => {
    const { cause } = await server.sql.one<{ cause: string }>`
      select cause from movements where org_id = ${person.orgId} and cause is not null`
    await expect(put(5n, -5n, cause)).rejects.toThrow(/movements_cause/)
  })
})

/** A movement put past everything that would make a right one of it. */
function put(freeMinor: bigint, accountMinor: bigint, cause: string) {
  return server.sql.rows`
    insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor,
      allowance_minor, account, account_minor, source, ref, balance_after_minor, cause, created_at, hash)
    values (${person.orgId}, 99, 'led_99', 'credit', ${freeMinor}, 0, 0, 0, 0, 0,
      case when ${accountMinor}::bigint <> 0 then 'adjustments' end, ${accountMinor}, 'adjustment', 'x',
      ${freeMinor}, ${cause}, ${server.clock.now()}, sha256('x'))`
}

describe('the service’s own role', () => {
  const statements: [string, (tx: Tx) => Promise<unknown>][] = [
    ['raise a balance', (tx) => tx.rows`update wallets set balance_minor = balance_minor + 1`],
    ['open a wallet', (tx) => tx.rows`insert into wallets (org_id, currency) values ('org_x', 'NGN')`],
    ['remove a wallet', (tx) => tx.rows`delete from wallets`],
    ['change a movement', (tx) => tx.rows`update movements set ref = 'x'`],
    ['write a movement', (tx) => tx.rows`insert into movements (org_id, seq) values ('org_x', 1)`],
    ['remove a movement', (tx) => tx.rows`delete from movements`],
    ['empty the movements', (tx) => tx.rows`truncate movements`],
    ['end a hold', (tx) => tx.rows`update holds set state = 'released'`],
    ['make a hold', (tx) => tx.rows`insert into holds (id) values ('hld_x')`],
    ['forget a hold', (tx) => tx.rows`delete from holds`],
    ['forget what a member spent', (tx) => tx.rows`update member_months set spent_minor = 0`],
    ['invent usage', (tx) => tx.rows`insert into usage_points (id) values ('use_x')`],
  ]
  test.for(statements)('cannot %s', async ([, statement]) => {
    await expect(server.app.db.tx('platform', statement)).rejects.toThrow(/permission denied/)
  })
})

describe('a wallet', () => {
  const currencyOf = (org: string) =>
    server.sql.one<{ currency: string }>`select currency from wallets where org_id = ${org}`
  const change = (org: string) => server.sql.rows`update orgs set currency = 'KES' where id = ${org}`

  test('takes its organisation’s currency while nothing has moved', async () => {
    const fresh = await server.person()
    await change(fresh.orgId)
    expect(await currencyOf(fresh.orgId)).toEqual({ currency: 'KES' })
  })

  test('keeps its currency once something has moved', async () => {
    await expect(change(person.orgId)).rejects.toThrow(/currency of a wallet that was used cannot change/)
    expect(await currencyOf(person.orgId)).toEqual({ currency: 'NGN' })
  })

  test('does not go below zero, nor hold what is not there, whoever writes', async () => {
    const below = server.sql.rows`update wallets set balance_minor = -1 where org_id = ${person.orgId}`
    await expect(below).rejects.toThrow(/violates check constraint/)
    const beyond = server.sql
      .rows`update wallets set held_minor = balance_minor + 1 where org_id = ${person.orgId}`
    await expect(beyond).rejects.toThrow(/violates check constraint/)
  })

  test('is seen by nobody of another organisation', async () => {
    const { orgId } = await server.person()
    const seen = await server.app.db.tx(orgId, async (tx) => ({
      wallets: await tx.rows`select org_id from wallets where org_id <> ${orgId}`,
      movements: await tx.rows`select org_id from movements where org_id <> ${orgId}`,
      holds: await tx.rows`select org_id from holds where org_id <> ${orgId}`,
    }))
    expect(seen).toEqual({ wallets: [], movements: [], holds: [] })
  })
})
