// Explains an item or a payment, and asks the provider about a difference before it counts as one. A payment that the
// provider reports as paid is settled by the usual settlement.
import { before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { accountOf } from '../rails/accounts.ts'
import type { ListedItem } from '../rails/rail.ts'
import { type ReconcileResult, reconcilePayment } from '../settle/reconcile.ts'
import { returnsOf } from '../sql/payment-returns.ts'
import * as sql from './items-sql.ts'
import { type ComparedPayment, type Explanation, type Finding, judgePayment, judgeReturn } from './judge.ts'
import type { Reconciliation } from './runs-sql.ts'

/** Later settlements are awaited this long. */
export const OVERLAP = { days: 2 }

/** After this many attempts without an answer of the provider a difference counts without it. */
const FAILURES_MAX = 5

export class ProviderUnavailable extends Error {}

/** The payments of this account among those that the items concern, by reference and by transaction. */
export async function candidatesOf(
  app: App,
  { rail, account }: Reconciliation,
  items: readonly ListedItem[],
) {
  const references = items.flatMap(({ reference }) => reference ?? [])
  const transactionIds = items.flatMap(({ transactionId }) => transactionId ?? [])
  const found = await app.db.tx('platform', (tx) => sql.paymentsOf(tx, rail, references, transactionIds))
  const own = found.filter((payment) => isOfAccount(app, payment, { rail, account }))
  const elsewhere = found.filter((each) => !own.includes(each) && each.attempted.includes(account))
  const byReference = new Map(
    [...elsewhere.map(seenFromHere), ...own].map((payment) => [payment.reference, payment]),
  )
  const byTransaction = Map.groupBy(own, ({ transactionId }) => transactionId)
  return ({ reference, transactionId }: ListedItem): ComparedPayment[] => {
    const named = reference === null ? undefined : byReference.get(reference)
    const credited = transactionId === null ? [] : (byTransaction.get(transactionId) ?? [])
    return [...new Set([...credited, ...(named ? [named] : [])])]
  }
}

/** Payments older than several accounts belong to the account of their currency. */
export const isOfAccount = (
  app: App,
  payment: ComparedPayment,
  { rail, account }: Pick<Reconciliation, 'rail' | 'account'>,
): boolean =>
  payment.rail === rail &&
  (payment.account === account || (payment.account === null && accountOf(app, payment)?.account === account))

/**
 * A payment that another account has now, as this account sees it: nothing of it was credited here, and its transaction is one
 * of the other account. If this account lists it as paid, its status here is fetched and credited as a repeat.
 */
const seenFromHere = (payment: sql.CandidatePayment): ComparedPayment => ({
  ...payment,
  ...{ status: 'pending', transactionId: null, settledAt: null, decidedAt: null, reversedAt: null },
})

export async function judgeItem(
  app: App,
  item: ListedItem,
  candidates: readonly ComparedPayment[],
): Promise<Finding> {
  if (item.kind === 'payment')
    return judgePayment(item, candidates, { production: app.config.environment === 'production' })
  const payment = candidates.find(({ status }) => status === 'settled')
  const returns = payment ? await app.db.tx('platform', (tx) => returnsOf(tx, payment.reference)) : []
  return judgeReturn(item, payment, returns)
}

/** Judges an item. A difference is judged again after the status of its payment was fetched and applied. */
export async function explainItem(
  app: App,
  run: Reconciliation,
  item: ListedItem,
  candidates: readonly ComparedPayment[],
): Promise<Finding> {
  const first = await judgeItem(app, item, candidates)
  if (first.result !== 'difference' || first.payment === null) return first
  const isReturn = item.kind !== 'payment' || item.status === 'reversed'
  const status = await fetchStatus(app, run, first.payment, isReturn)
  const again = await judgeItem(app, item, (await candidatesOf(app, run, [item]))(item))
  if (again.result === 'difference')
    return isPending(app, again.payment, status) ? { result: 'explained', why: 'pending' } : again
  if (again.result !== 'match') return again
  return { result: 'explained', why: isReturn ? 'return_recorded' : 'settled_late' }
}

/** The provider has not decided yet. It gets the time of the overlap. */
const isPending = (app: App, payment: ComparedPayment | null, status: ReconcileResult | null): boolean =>
  payment?.status === 'pending' &&
  status?.providerStatus === 'pending' &&
  payment.createdAt > before(app.clock.now(), OVERLAP)

/** Explains a credited payment that the list does not contain. */
export async function explainCredit(
  app: App,
  run: Reconciliation,
  payment: ComparedPayment,
  isListComplete: boolean,
): Promise<Finding> {
  if (payment.reversedAt !== null) return explained('return_recorded')
  const missing: Finding = { result: 'difference', difference: 'not_listed', payment }
  // The status query answers for the first payment under a reference, not for its repeats.
  if (payment.repeatOf !== null && run.source !== 'status')
    return isListComplete ? missing : explained('list_incomplete')
  const status = await fetchStatus(app, run, payment, false)
  if (status?.providerStatus === 'reversed') return explained('return_recorded')
  if (status?.providerStatus !== 'paid') return missing
  if (run.source === 'status') return { result: 'match' }
  return explained(payment.createdAt < run.from ? 'before_window' : 'confirmed_by_status')
}

const explained = (why: Explanation): Finding => ({ result: 'explained', why })

/** Null when the provider gave no answer, many times. */
export async function fetchStatus(
  app: App,
  { failures, rail }: Reconciliation,
  { reference, repeatOf }: ComparedPayment,
  isReturn: boolean,
): Promise<ReconcileResult | null> {
  const result = await reconcilePayment(app, repeatOf ?? reference, 'reconciliation', {
    isReturn,
    rail,
  })
  if (result.providerStatus !== 'unknown' && result.returns !== 'unknown') return result
  if (failures < FAILURES_MAX) throw new ProviderUnavailable('The provider did not report a status.')
  return null
}
