import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../platform/db/tx.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
  await giveCredit(server, person.orgId, 1000n)
  await spend(server, person, 100n)
  await holdSome(server, person, 50n)
})
afterAll(() => server.close())

describe('postings', () => {
  test.for<[string, () => Promise<unknown>]>([
    ['changed', () => server.sql.rows`update movements set ref = 'x' where org_id = ${person.orgId}`],
    ['deleted', () => server.sql.rows`delete from movements where org_id = ${person.orgId}`],
    ['truncated', () => server.sql.rows`truncate movements`],
  ])('cannot be %s, not even by the owner of the tables', async ([, change]) => {
    await expect(change()).rejects.toThrow(/movements\w* is append-only/)
  })

  test.for<[string, () => Promise<unknown>]>([
    ['that do not sum to zero', () => insertPosting(1n, 0n, 'x 1')],
    ['with a negative balance', () => insertPosting(-5000n, 5000n, 'x 2')],
    ['of an unknown account', () => insertPosting(5n, -5n, 'x 3', { account: 'pocket' })],
    ['with an account but no amount', () => insertPosting(0n, 0n, 'x 4', { account: 'adjustments' })],
    ['with an amount but no account', () => insertPosting(5n, -5n, 'x 5', { account: null })],
    ['with both a hold and a cause', () => insertPosting(5n, -5n, 'x 6', { holdId: 'hld_x' })],
    ['with a bar in their reference', () => insertPosting(5n, -5n, 'x 7', { ref: 'a|b' })],
    ['with a bar in their cause', () => insertPosting(5n, -5n, 'x|8')],
  ])('%s are rejected, even for the owner of the tables', async ([, change]) => {
    await expect(change()).rejects.toThrow(/violates check constraint/)
  })

  test('of a cause that was posted before are rejected', async () => {
    const { cause } = await server.sql.one<{ cause: string }>`
      select cause from movements where org_id = ${person.orgId} and cause is not null`
    await expect(insertPosting(5n, -5n, cause)).rejects.toThrow(/movements_cause/)
  })
})

/** Inserts a posting directly, without the wallet functions. */
function insertPosting(
  freeMinor: bigint,
  accountMinor: bigint,
  cause: string,
  rest: { account?: string | null; ref?: string; holdId?: string } = {},
) {
  const { account = accountMinor === 0n ? null : 'adjustments', ref = 'x', holdId = null } = rest
  return server.sql.rows`
    insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor,
      allowance_minor, account, account_minor, source, ref, balance_after_minor, cause, hold_id, created_at, hash)
    values (${person.orgId}, 99, 'led_99', 'credit', ${freeMinor}, 0, 0, 0, 0, 0, ${account}, ${accountMinor}, 'adjustment',
      ${ref}, ${freeMinor}, ${cause}, ${holdId}, ${server.clock.now()}, sha256('x'))`
}

test('constraints allow one hold per reference and no charge above the hold', async () => {
  const again = server.sql.rows`
    insert into holds (id, org_id, ref, source, amount_minor, included_minor, included_grant, terms, state, charged_minor,
      charged_included_minor, month, deadline, created_at)
    select 'hld_again', org_id, ref, source, amount_minor, included_minor, included_grant, terms, 'open', 0, 0, month, deadline,
      created_at from holds where org_id = ${person.orgId}`
  await expect(again).rejects.toThrow(/holds_org_id_ref_key/)
  const more = server.sql.rows`
    update holds set charged_minor = amount_minor + 1 where org_id = ${person.orgId}`
  await expect(more).rejects.toThrow(/violates check constraint/)
})

describe('the database role of the service', () => {
  const statements: [string, (tx: Tx) => Promise<unknown>][] = [
    ['raise a balance', (tx) => tx.rows`update wallets set balance_minor = balance_minor + 1`],
    ['insert a wallet', (tx) => tx.rows`insert into wallets (org_id, currency) values ('org_x', 'NGN')`],
    ['delete a wallet', (tx) => tx.rows`delete from wallets`],
    ['change a posting', (tx) => tx.rows`update movements set ref = 'x'`],
    ['insert a posting', (tx) => tx.rows`insert into movements (org_id, seq) values ('org_x', 1)`],
    ['delete a posting', (tx) => tx.rows`delete from movements`],
    ['truncate the postings', (tx) => tx.rows`truncate movements`],
    ['end a hold', (tx) => tx.rows`update holds set state = 'released'`],
    ['insert a hold', (tx) => tx.rows`insert into holds (id) values ('hld_x')`],
    ['delete a hold', (tx) => tx.rows`delete from holds`],
    ['reset the spending of a member', (tx) => tx.rows`update member_months set spent_minor = 0`],
    ['reset the spending of a key', (tx) => tx.rows`update key_spend set spent_minor = 0`],
    ['reset the spending of a key in the view', (tx) => tx.rows`update key_spend_days set spent_minor = 0`],
    ['change what is paid in advance', (tx) => tx.rows`update wallet_accruals set charged_minor = 9`],
    ['insert usage', (tx) => tx.rows`insert into usage_points (id) values ('use_x')`],
  ]
  test.for(statements)('cannot %s', async ([, statement]) => {
    await expect(server.app.db.tx('platform', statement)).rejects.toThrow(/permission denied/)
  })
})

describe('a wallet', () => {
  const currencyOf = (org: string) =>
    server.sql.one<{ currency: string }>`select currency from wallets where org_id = ${org}`
  const change = (org: string) => server.sql.rows`update orgs set currency = 'KES' where id = ${org}`

  test('follows the currency of its organisation before the first posting', async () => {
    const fresh = await server.person()
    await change(fresh.orgId)
    expect(await currencyOf(fresh.orgId)).toEqual({ currency: 'KES' })
  })

  test('keeps its currency after the first posting', async () => {
    await expect(change(person.orgId)).rejects.toThrow(/currency of a wallet that was used cannot change/)
    expect(await currencyOf(person.orgId)).toEqual({ currency: 'NGN' })
  })

  test('cannot be negative or hold more than its balance', async () => {
    const below = server.sql.rows`update wallets set balance_minor = -1 where org_id = ${person.orgId}`
    await expect(below).rejects.toThrow(/violates check constraint/)
    const beyond = server.sql
      .rows`update wallets set held_minor = balance_minor + 1 where org_id = ${person.orgId}`
    await expect(beyond).rejects.toThrow(/violates check constraint/)
    const allowance = server.sql
      .rows`update wallets set included_held_minor = included_minor + 1 where org_id = ${person.orgId}`
    await expect(allowance).rejects.toThrow(/violates check constraint/)
  })

  test('is invisible to other organisations', async () => {
    const { orgId } = await server.person()
    const seen = await server.app.db.tx(orgId, async (tx) => ({
      wallets: await tx.rows`select org_id from wallets where org_id <> ${orgId}`,
      movements: await tx.rows`select org_id from movements where org_id <> ${orgId}`,
      holds: await tx.rows`select org_id from holds where org_id <> ${orgId}`,
      months: await tx.rows`select org_id from member_months where org_id <> ${orgId}`,
      accruals: await tx.rows`select org_id from wallet_accruals where org_id <> ${orgId}`,
    }))
    expect(seen).toEqual({ wallets: [], movements: [], holds: [], months: [], accruals: [] })
  })
})
