import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billingChecks } from '../../billing/billing.ts'
import { invoiceOldPayments } from '../../payments/settle/invoice-backfill.ts'
import {
  type CheckFinding,
  checkHashes,
  credit,
  debit,
  grantIncluded,
  type InvariantCheck,
  reserve,
  runChecks,
  settle,
} from '../../wallet/wallet.ts'

let server: TestServer
let staff: Person
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  staff = await server.person({ staff: 'support' })
  person = await server.person()
  await server.person()
  await fill()
  // Issues the invoice of the payment, with credit notes for refunds and reversals.
  await invoiceOldPayments(server.app)
  await disarm()
})
afterAll(() => server.close())

type Invariants = {
  ok: boolean
  checks: { name: string; ok: boolean; checked: number; violations: number; examples: string[] }[]
  trialBalance: {
    currency: string
    ok: boolean
    sumMinor: bigint
    accounts: { account: string; totalMinor: bigint }[]
  }[]
}

const invariants = async () =>
  (await server.call<Invariants>('GET', '/admin/ledger/invariants', { as: staff })).body

/** The names of failed checks, including the trial balance. */
async function broken(): Promise<string[]> {
  const { ok, checks, trialBalance } = await invariants()
  const names = checks.filter((check) => !check.ok).map(({ name }) => name)
  if (trialBalance.some((each) => !each.ok)) names.push('trial_balance')
  expect(ok).toBe(names.length === 0)
  return names
}

/** A partly reversed top-up, an adjustment, an allowance, a charge, a refund and an open hold. */
async function fill(): Promise<void> {
  const { orgId, userId } = person
  const { app, sql, clock } = server
  const give = (ref: string, amountMinor: bigint, source: 'topup' | 'adjustment' | 'refund') =>
    app.db.tx(orgId, async (tx) => {
      const account = ({ topup: 'clearing:mock', adjustment: 'adjustments', refund: 'refunds' } as const)[
        source
      ]
      const { entryId } = await credit(app, tx, { orgId, amountMinor, source, ref, cause: ref, account })
      return entryId
    })
  const paid = await give('topup00000001', 10_000n, 'topup')
  await sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email, status,
      captured_minor, refunded_minor, entry_id, created_at, expires_at, settled_at)
    values ('topup00000001', ${orgId}, ${userId}, 'topup', 'card', 'paystack', 'mock', 'NGN', 10000, 'x@example.com', 'settled',
      10000, 300, ${paid}, ${clock.now()}, ${clock.now()}, ${clock.now()})`
  await sql.rows`update payments set reversed_at = ${clock.now()}`
  await app.db.tx(orgId, (tx) =>
    debit(app, tx, {
      orgId,
      amountMinor: 1000n,
      source: 'topup',
      ref: 'topup00000001',
      cause: 'reversal topup00000001',
      account: 'reversals',
    }),
  )
  const refunded = await give('refund 1', 300n, 'refund')
  const adjusted = await give('adjustment 1', 70n, 'adjustment')
  await sql.rows`
    insert into wallet_refunds (id, org_id, source, reference, amount_minor, reason, actor_user_id, entry_id, created_at)
    values ('rfd_1', ${orgId}, 'refund', 'topup00000001', 300, 'x', ${staff.userId}, ${refunded}, ${clock.now()}),
           ('rfd_2', ${orgId}, 'adjustment', null, 70, 'x', ${staff.userId}, ${adjusted}, ${clock.now()})`
  await app.db.tx(orgId, (tx) =>
    grantIncluded(app, tx, { orgId, amountMinor: 500n, ref: 'plan', cause: 'plan 1' }),
  )
  for (const [ref, isEnded] of [
    ['done', true],
    ['open', false],
  ] as const) {
    const reserved = await reserve(app, {
      ...{ orgId, userId, keyId: 'key_of_a_program', ref, source: 'agent' },
      amountMinor: 800n,
      terms: {},
      deadline: new Date(clock.now().getTime() + 60_000),
    })
    if (!reserved.ok) throw new Error('refused')
    const { holdId } = reserved.hold
    if (isEnded) await settle(app, { orgId, holdId, amountMinor: 700n, usage: null })
  }
  await sql.rows`
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
    values ('use_1', ${orgId}, ${userId}, '2026-11-13T12:00:00Z', 'open', 'm-1', 'agent', 100, 10)`
  await sql.rows`
    insert into usage_days (org_id, user_id, day, lane, source, tokens, cost_minor, points)
    values (${orgId}, ${userId}, '2026-11-13', 'open', 'agent', 100, 10, 1)`
  await sql.rows`insert into usage_seals (day, points, sealed_at) values ('2026-11-13', 1, ${clock.now()})`
}

/** Drops database constraints, so that only the checks can detect the fault. */
async function disarm(): Promise<void> {
  await server.sql.rows`
    do $$
    declare each record;
    begin
      for each in select conrelid::regclass as at, conname as name from pg_constraint
        where contype in ('c', 'f') and conrelid in ('wallets'::regclass, 'movements'::regclass, 'holds'::regclass,
          'member_months'::regclass, 'key_spend'::regclass, 'payments'::regclass, 'wallet_refunds'::regclass)
      loop
        execute format('alter table %s drop constraint %I', each.at, each.name);
      end loop;
      alter table movements disable trigger user;
      alter table wallet_refunds disable trigger user;
    end $$`
}

describe('GET /admin/ledger/invariants', () => {
  test('finds no violations in consistent books, and lists account totals', async () => {
    const { ok, checks, trialBalance } = await invariants()
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
    expect(checks).toHaveLength(28)
    // No organisation here has trial credit, a charge that accrues, a refund to its payer, or a plan.
    const trials = ['trial_credit_is_what_postings_leave', 'trial_grants_are_postings']
    const accruals = 'accruals_are_the_exact_sum_of_charges'
    const refunds = 'refunds_to_source_are_returns'
    const unused = [...trials, accruals, refunds, ...billingChecks.map(({ name }) => name)]
    expect(checks.filter(({ checked }) => checked === 0).map(({ name }) => name)).toEqual(unused)
    for (const { violations, examples } of checks) {
      expect({ violations, examples }).toEqual({ violations: 0, examples: [] })
    }
    expect(trialBalance).toEqual([
      {
        currency: 'NGN',
        ok: true,
        sumMinor: 0n,
        accounts: [
          { account: 'adjustments', totalMinor: -70n },
          { account: 'allowance', totalMinor: 0n },
          { account: 'clearing:mock', totalMinor: -10_000n },
          { account: 'customers:free', totalMinor: 8370n },
          { account: 'customers:held', totalMinor: 800n },
          { account: 'customers:included', totalMinor: 0n },
          { account: 'customers:included_held', totalMinor: 0n },
          { account: 'refunds', totalMinor: -300n },
          { account: 'revenue', totalMinor: 200n },
          { account: 'reversals', totalMinor: 1000n },
        ],
      },
    ])
  })

  const SUMS = 'wallets_are_the_sum_of_their_movements'
  const HELD = 'held_is_what_open_holds_reserve'
  const KEYS = 'key_spend_is_the_sum_of_holds'
  const FOLLOW = 'movements_follow_from_each_other'
  const PAYMENTS = 'settled_payments_are_clearing_credits'
  const INVOICED = 'settled_payments_have_invoices'
  const NOTES = 'refunds_have_credit_notes'
  type Change = () => Promise<unknown>
  const q = () => server.sql
  test.for<[string, names: string[], change: Change, undo: Change]>([
    [
      'an unbalanced posting',
      ['movements_sum_to_zero', SUMS, FOLLOW, 'refunds_are_credits'],
      () =>
        q()
          .rows`update movements set free_minor = free_minor + 1, balance_after_minor = balance_after_minor + 1 where cause = 'adjustment 1'`,
      () =>
        q()
          .rows`update movements set free_minor = free_minor - 1, balance_after_minor = balance_after_minor - 1 where cause = 'adjustment 1'`,
    ],
    [
      'a balance without a matching posting',
      [SUMS, 'trial_balance'],
      () => q().rows`update wallets set balance_minor = balance_minor + 5 where org_id = ${person.orgId}`,
      () => q().rows`update wallets set balance_minor = balance_minor - 5 where org_id = ${person.orgId}`,
    ],
    [
      'a held amount without a hold',
      [SUMS, HELD],
      () => q().rows`update wallets set held_minor = held_minor + 5 where org_id = ${person.orgId}`,
      () => q().rows`update wallets set held_minor = held_minor - 5 where org_id = ${person.orgId}`,
    ],
    [
      'an allowance without a matching posting',
      [SUMS, 'trial_balance'],
      () => q().rows`update wallets set included_minor = included_minor + 5 where org_id = ${person.orgId}`,
      () => q().rows`update wallets set included_minor = included_minor - 5 where org_id = ${person.orgId}`,
    ],
    [
      'a hold with a wrong charged amount',
      ['holds_are_paid_once', 'member_months_are_the_sum_of_holds', KEYS],
      () => q().rows`update holds set charged_minor = charged_minor + 1 where ref = 'done'`,
      () => q().rows`update holds set charged_minor = charged_minor - 1 where ref = 'done'`,
    ],
    [
      'a finished hold without a posting',
      [HELD, 'holds_are_paid_once', 'member_months_are_the_sum_of_holds', KEYS],
      () => q().rows`update holds set state = 'released' where ref = 'open'`,
      () => q().rows`update holds set state = 'open' where ref = 'open'`,
    ],
    [
      'a member month without its spending',
      ['member_months_are_the_sum_of_holds'],
      () => q().rows`update member_months set spent_minor = spent_minor - 1`,
      () => q().rows`update member_months set spent_minor = spent_minor + 1`,
    ],
    [
      'a negative member month',
      ['member_months_are_the_sum_of_holds', 'nothing_is_negative'],
      () => q().rows`update member_months set held_minor = held_minor - 5000`,
      () => q().rows`update member_months set held_minor = held_minor + 5000`,
    ],
    [
      'a negative count of a key',
      [KEYS, 'nothing_is_negative'],
      () => q().rows`update key_spend set held_minor = held_minor - 5000`,
      () => q().rows`update key_spend set held_minor = held_minor + 5000`,
    ],
    [
      'a wrong daily sum',
      ['usage_days_are_the_sum_of_points'],
      () => q().rows`update usage_days set cost_minor = cost_minor + 1`,
      () => q().rows`update usage_days set cost_minor = cost_minor - 1`,
    ],
    [
      'a negative wallet',
      [SUMS, 'nothing_is_negative', 'trial_balance'],
      () => q().rows`update wallets set balance_minor = balance_minor - 50000 where org_id = ${person.orgId}`,
      () => q().rows`update wallets set balance_minor = balance_minor + 50000 where org_id = ${person.orgId}`,
    ],
    [
      'a skipped sequence number',
      ['chains_are_whole', FOLLOW],
      () => q().rows`update movements set seq = seq + 1000 where cause = 'topup00000001'`,
      () => q().rows`update movements set seq = seq - 1000 where cause = 'topup00000001'`,
    ],
    [
      'a changed head',
      ['chains_are_whole'],
      () => q().rows`update wallets set head = sha256(head) where org_id = ${person.orgId}`,
      () =>
        q()
          .rows`update wallets w set head = (select hash from movements m where m.org_id = w.org_id and m.seq = w.seq) where org_id = ${person.orgId}`,
    ],
    [
      'an edited text',
      [FOLLOW],
      () => q().rows`update movements set ref = 'other' where cause = 'adjustment 1'`,
      () => q().rows`update movements set ref = 'adjustment 1' where cause = 'adjustment 1'`,
    ],
    [
      'a settled payment without a credit',
      [PAYMENTS],
      () => q().rows`update payments set entry_id = 'led_none' where reference = 'topup00000001'`,
      () =>
        q()
          .rows`update payments set entry_id = (select id from movements where cause = 'topup00000001') where reference = 'topup00000001'`,
    ],
    [
      'a payment whose captured and credited amounts differ',
      [PAYMENTS, INVOICED, NOTES],
      () => q().rows`update payments set captured_minor = captured_minor + 1`,
      () => q().rows`update payments set captured_minor = captured_minor - 1`,
    ],
    [
      'a payment credited from another rail',
      [PAYMENTS],
      () => q().rows`update payments set mode = 'live'`,
      () => q().rows`update payments set mode = 'mock'`,
    ],
    [
      'a payment in another currency than its wallet',
      [PAYMENTS, INVOICED],
      () => q().rows`update payments set currency = 'KES'`,
      () => q().rows`update payments set currency = 'NGN'`,
    ],
    [
      'a credit over a rail without a payment',
      [PAYMENTS, INVOICED, NOTES],
      () => q().rows`update payments set status = 'pending'`,
      () => q().rows`update payments set status = 'settled'`,
    ],
    [
      'refunds of more than was captured',
      ['refunds_are_within_what_was_captured', NOTES],
      () => q().rows`update payments set refunded_minor = captured_minor + 1`,
      () => q().rows`update payments set refunded_minor = 300`,
    ],
    [
      'a reversal of a payment that was not reversed',
      ['reversals_are_within_what_was_captured', NOTES],
      () => q().rows`update payments set reversed_at = null`,
      () => q().rows`update payments set reversed_at = created_at`,
    ],
    [
      'a refund without a credit',
      ['refunds_are_credits'],
      () => q().rows`update wallet_refunds set entry_id = 'led_none' where id = 'rfd_2'`,
      () =>
        q()
          .rows`update wallet_refunds set entry_id = (select id from movements where cause = 'adjustment 1') where id = 'rfd_2'`,
    ],
  ])('detects %s', async ([, names, change, undo]) => {
    await change()
    const found = await broken()
    await undo()
    expect(found.sort()).toEqual([...names].sort())
    expect(await broken()).toEqual([])
  })

  test('names the first ten violations and counts all', async () => {
    for (let n = 0; n < 12; n++) await server.person()
    await server.sql.rows`update wallets set included_minor = -1 where seq = 0`
    const { checks } = await invariants()
    await server.sql.rows`update wallets set included_minor = 0 where seq = 0`
    const negative = checks.find(({ name }) => name === 'nothing_is_negative')
    expect(negative?.violations).toBe(14)
    expect(negative?.examples).toHaveLength(10)
    expect(negative?.examples[0]).toMatch(/^org_/)
  })

  test('runs its checks in a read-only transaction', async () => {
    const write: InvariantCheck = {
      name: 'writes',
      holds: 'It does not.',
      find: (tx) => tx.one<CheckFinding>`
        update users set name = 'x' returning 0::bigint as checked, 0::bigint as violations, null as examples`,
    }
    await expect(runChecks(server.app, [write])).rejects.toThrow(/read-only transaction/)
  })

  test('reports a check that times out as unfinished, and runs the next', async () => {
    const slow: InvariantCheck = {
      name: 'slow',
      holds: 'It is slow.',
      find: (tx) => tx.one<CheckFinding>`
        select count(*) as checked, 0::bigint as violations, null as examples from (select pg_sleep(60)) each`,
    }
    const quick: InvariantCheck = {
      name: 'quick',
      holds: 'It is quick.',
      find: (tx) =>
        tx.one<CheckFinding>`select 1::bigint as checked, 0::bigint as violations, null as examples`,
    }
    // Enough time for the fast check on a busy machine.
    expect(await runChecks(server.app, [slow, quick], 2_000)).toMatchObject([
      { name: 'slow', ok: false, finished: false },
      { name: 'quick', ok: true, finished: true },
    ])
  })

  test('recomputes many hashes in several calls', async () => {
    const all = await checkHashes(server.app, undefined)
    expect(all).toMatchObject({ result: { ok: true, checked: 8n }, nextCursor: null })
    await server.sql.rows`update movements set ref = 'other' where cause = 'adjustment 1'`
    const seen: [bigint, bigint][] = []
    let cursor: string | null | undefined
    for (let call = 0; call < 10 && cursor !== null; call++) {
      const { result, nextCursor }: Awaited<ReturnType<typeof checkHashes>> = await checkHashes(
        server.app,
        cursor,
        3,
      )
      seen.push([result.checked, result.violations])
      cursor = nextCursor
    }
    await server.sql.rows`update movements set ref = 'adjustment 1' where cause = 'adjustment 1'`
    expect(seen).toEqual([
      [3n, 0n],
      [3n, 1n],
      [2n, 0n],
    ])
  })

  test.for(['bm90IG9uZQ', Buffer.from('org_x\u001fx').toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      const reply = await server.call('GET', '/admin/ledger/invariants', { as: staff, query: { cursor } })
      expect(reply.status).toBe(400)
    },
  )
})
