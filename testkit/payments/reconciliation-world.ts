// Setup of reconciliation tests: credited payments in bulk, here and at the fake provider.
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { accountsOf } from '@cowrie/server/src/payments/rails/accounts.ts'
import { runOfDay } from '@cowrie/server/src/payments/reconciliation/jobs.ts'
import { runReconciliation } from '@cowrie/server/src/payments/reconciliation/run.ts'
import {
  findByDay,
  findRun,
  insertRun,
  type Reconciliation,
  type ReconciliationId,
  restartRun,
} from '@cowrie/server/src/payments/reconciliation/runs-sql.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import type { FakePaystack } from '../fakes/payments/paystack.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export const DAY = '2026-11-15'
export const NOON = new Date(`${DAY}T12:00:00.000Z`)

export type Credit = {
  readonly reference: string
  readonly transactionId: string
  readonly amountMinor: bigint
  readonly account: string | null
}

let created = 0

/** A new credit. Transaction numbers are above those that the fake gives. */
export function newCredit(changes: Partial<Credit> = {}): Credit {
  created += 1
  return {
    reference: `tp${String(created).padStart(26, '0')}`,
    transactionId: String(1_000_000 + created),
    amountMinor: 100_000n + BigInt(created),
    account: 'NG',
    ...changes,
  }
}

/** Inserts settled payments without wallet postings. */
export async function insertCredits(
  server: TestServer,
  person: Person,
  credits: readonly Credit[],
  at = NOON,
) {
  await server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, account, mode, currency, amount_minor, email,
                          status, captured_minor, transaction_id, entry_id, created_at, expires_at, settled_at)
    select c.reference, ${person.orgId}, ${person.userId}, 'topup', 'card', 'paystack', c.account, 'live', 'NGN', c.amount,
           ${person.email}, 'settled', c.amount, c.transaction, 'mov_' || c.reference, ${at}, ${at}, ${at}
    from unnest(${credits.map(({ reference }) => reference)}::text[], ${credits.map(({ amountMinor }) => amountMinor)}::bigint[],
                ${credits.map(({ transactionId }) => transactionId)}::text[],
                ${credits.map(({ account }) => account)}::text[]) as c (reference, amount, transaction, account)`
}

/** The same payments at the provider. */
export function addToProvider(paystack: FakePaystack, credits: readonly Credit[], createdAt = NOON): void {
  for (const { reference, transactionId, amountMinor } of credits)
    paystack.addPaid({ id: Number(transactionId), reference, amountMinor, currency: 'NGN', createdAt })
}

/** Creates the run of a day, or starts it again. */
export function startRun(
  server: TestServer,
  day = DAY,
  rail: 'paystack' | 'flutterwave' | 'ozow' = 'paystack',
): Promise<ReconciliationId> {
  const account = present(accountsOf(server.app, rail)[0], 'the rail has an account')
  const run = runOfDay(rail, account, new Date(`${day}T00:00:00.000Z`))
  return server.app.db.tx('platform', async (tx) => {
    const id = await insertRun(tx, run)
    if (id !== null) return id
    const existing = present(await findByDay(tx, rail, account.account, day), 'the day has a run')
    await restartRun(tx, existing.id, run)
    return existing.id
  })
}

export const readRun = async (server: TestServer, id: ReconciliationId): Promise<Reconciliation> =>
  present(await server.app.db.tx('platform', (tx) => findRun(tx, id)), 'the run exists')

export async function reconcileDay(server: TestServer, day = DAY): Promise<Reconciliation> {
  const id = await startRun(server, day)
  await runReconciliation(server.app, id)
  return readRun(server, id)
}

export type DifferenceCase = { key: string; reference: string | null; isOpen: boolean; note: string | null }

/** The differences with a case, as `amount tp…`; by reference where a payment of ours is concerned, else by item. */
export const differenceCases = (server: TestServer): Promise<DifferenceCase[]> =>
  server.sql.rows<DifferenceCase>`
    select (evidence->>'difference') || ' ' || coalesce(reference, evidence->'provider'->>'reference') as key, reference,
           resolved_at is null as "isOpen", note
    from payment_cases where kind = 'reconciliation' order by 1`

export const openDifferences = async (server: TestServer): Promise<string[]> =>
  (await differenceCases(server)).filter(({ isOpen }) => isOpen).map(({ key }) => key)

/** Credits with one difference of each kind, and the expected keys of their cases. */
export async function plantDifferencesIn(
  server: TestServer,
  person: Person,
  paystack: FakePaystack,
): Promise<string[]> {
  const [unknown, unlisted, amount] = [newCredit(), newCredit(), newCredit()]
  const [currency, transaction, twice] = [newCredit(), newCredit(), newCredit()]
  const copy = newCredit({ transactionId: twice.transactionId, account: null })
  await insertCredits(server, person, [unlisted, amount, currency, transaction, twice, copy])
  addToProvider(paystack, [
    unknown,
    { ...amount, amountMinor: amount.amountMinor - 1n },
    currency,
    { ...transaction, transactionId: newCredit().transactionId },
    twice,
  ])
  paystack.override(currency.reference, { currency: 'USD' })
  return [
    `amount ${amount.reference}`,
    `credited_twice ${twice.reference}`,
    `currency ${currency.reference}`,
    `not_credited ${unknown.reference}`,
    `not_listed ${unlisted.reference}`,
    `reference ${transaction.reference}`,
  ]
}

/** All transactions after the given number fail, as if the process had died before their commit. */
export function dyingApp(app: App, transactions: number): App {
  let left = transactions
  const tx: App['db']['tx'] = (scope, work) =>
    app.db.tx(scope, async (inner) => {
      const result = await work(inner)
      if (left-- <= 0) throw new Error('killed')
      return result
    })
  return { ...app, db: { ...app.db, tx } }
}
