// Opens a case for a difference, and closes it when a later reconciliation explains it.
import { assert } from '../../kernel/assert.ts'
import { format, isCurrency, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ListedItem } from '../rails/rail.ts'
import {
  type OpenDifference,
  openDifferenceCase,
  openDifferences,
  resolveByKey,
} from '../sql/payment-cases.ts'
import { findItem, isListed, itemKey, paymentsOf } from './items-sql.ts'
import type { ComparedPayment, Difference, Finding } from './judge.ts'
import { candidatesOf, explainCredit, explainItem } from './resolve.ts'
import type { Reconciliation } from './runs-sql.ts'

export type FoundDifference = {
  readonly difference: Difference
  /** Null where the provider lists nothing. */
  readonly item: ListedItem | null
  readonly payment: ComparedPayment | null
}

type StoredItem = Omit<ListedItem, 'amountMinor' | 'feeMinor' | 'at'> & {
  readonly amountMinor: string | null
  readonly feeMinor: string | null
  readonly at: string
}

/** Amounts are text, because JSON numbers lose digits. */
export type Evidence = {
  readonly difference: Difference
  readonly rail: string
  readonly account: string
  readonly reconciliationId: string
  readonly provider: StoredItem | null
  readonly here: {
    readonly reference: string
    readonly status: string
    readonly transactionId: string | null
    readonly capturedMinor: string
    readonly currency: string
  } | null
}

/** True when the case was not open. */
export function openCase(tx: Tx, run: Reconciliation, found: FoundDifference): Promise<boolean> {
  const { difference, item, payment } = found
  const amountMinor = item?.amountMinor ?? payment?.capturedMinor ?? null
  return openDifferenceCase(
    tx,
    {
      key: keyOf(run, found),
      kind: 'reconciliation',
      orgId: payment?.orgId ?? null,
      reference: payment?.reference ?? null,
      amountMinor: amountMinor !== null && amountMinor > 0n ? amountMinor : null,
      summary: `${SUMMARIES[difference]} ${describeProvider(run, item)} ${describeHere(payment)}`.slice(
        0,
        500,
      ),
    },
    evidenceOf(run, found),
  )
}

/** The same difference has the same key in every run. */
function keyOf({ rail, account }: Reconciliation, { difference, item, payment }: FoundDifference): string {
  const subject = item ? itemKey(item) : payment?.reference
  return `reconciliation ${rail} ${account} ${difference} ${subject}`.slice(0, 300)
}

const SUMMARIES: Readonly<Record<Difference, string>> = {
  not_credited: 'A payment at the provider was not credited here.',
  not_listed: 'A credited payment does not exist at the provider.',
  amount: 'The provider and the wallet have different amounts.',
  currency: 'The provider and the wallet have different currencies.',
  reference: 'The provider and the wallet name different references or transactions.',
  credited_twice: 'One transaction of the provider was credited more than once.',
  test_money: 'A credited payment was paid with test money.',
  returned: 'The provider returned or disputes money that was not taken back here.',
}

function describeProvider({ rail, account }: Reconciliation, item: ListedItem | null): string {
  if (!item) return `${rail} (${account}) lists nothing.`
  const { kind, id, reference, amountMinor, currency, status } = item
  const amount = amountMinor === null ? '' : ` of ${amountText(amountMinor, currency ?? '')}`
  return `${rail} (${account}) lists ${kind} ${id}${amount} as ${status}${reference ? `, reference ${reference}` : ''}.`
}

function describeHere(payment: ComparedPayment | null): string {
  if (!payment) return 'No payment of ours is known.'
  const { reference, status, capturedMinor, currency } = payment
  return `Our payment ${reference} is ${status}, with ${amountText(capturedMinor, currency)} credited.`
}

const amountText = (minor: bigint, currency: string): string =>
  isCurrency(currency) ? format(money(minor, currency)) : `${minor} ${currency}`

function evidenceOf(run: Reconciliation, { difference, item, payment }: FoundDifference): Evidence {
  const { rail, account, id: reconciliationId } = run
  return {
    ...{ difference, rail, account, reconciliationId },
    provider: item && {
      ...item,
      amountMinor: item.amountMinor?.toString() ?? null,
      feeMinor: item.feeMinor?.toString() ?? null,
      at: item.at.toISOString(),
    },
    here: payment && {
      reference: payment.reference,
      status: payment.status,
      transactionId: payment.transactionId,
      capturedMinor: payment.capturedMinor.toString(),
      currency: payment.currency,
    },
  }
}

const itemOf = (stored: StoredItem): ListedItem => ({
  ...stored,
  amountMinor: stored.amountMinor === null ? null : BigInt(stored.amountMinor),
  feeMinor: stored.feeMinor === null ? null : BigInt(stored.feeMinor),
  at: new Date(stored.at),
})

const CASES_PER_STEP = 20

export type ReviewedCase = {
  readonly key: string
  readonly finding: Finding
  readonly item: ListedItem | null
}

/** Judges open cases of the account again, with the current lists. */
export async function reviewCases(app: App, run: Reconciliation, isListComplete: boolean) {
  const open = await app.db.tx('platform', (tx) =>
    openDifferences<Evidence>(tx, run.rail, run.account, run.cursor, CASES_PER_STEP),
  )
  const reviewed: ReviewedCase[] = []
  for (const each of open) reviewed.push(await reviewCase(app, run, each, isListComplete))
  return { reviewed, last: open.length < CASES_PER_STEP ? null : (open.at(-1)?.id ?? null) }
}

async function reviewCase(
  app: App,
  run: Reconciliation,
  { key, evidence: { provider, here } }: OpenDifference<Evidence>,
  isListComplete: boolean,
): Promise<ReviewedCase> {
  if (provider) {
    const stored = itemOf(provider)
    const item = (await app.db.tx('platform', (tx) => findItem(tx, run.id, itemKey(stored)))) ?? stored
    const finding = await explainItem(app, run, item, (await candidatesOf(app, run, [item]))(item))
    return { key, finding, item }
  }
  assert(here, 'a case without an item has a payment')
  const [payment] = await app.db.tx('platform', (tx) => paymentsOf(tx, run.rail, [here.reference], []))
  assert(payment, 'the payment of a case exists')
  // The comparison of the list judges it.
  if (await app.db.tx('platform', (tx) => isListed(tx, run.id, payment)))
    return { key, finding: { result: 'match' }, item: null }
  return { key, finding: await explainCredit(app, run, payment, isListComplete), item: null }
}

/** Closes the case, unless it has the same difference still. True when it was closed. */
export async function applyReview(tx: Tx, run: Reconciliation, { key, finding, item }: ReviewedCase) {
  if (finding.result === 'difference') {
    const found = { ...finding, item }
    if (keyOf(run, found) === key) return false
    await openCase(tx, run, found)
  }
  const why = finding.result === 'explained' ? finding.why : finding.result
  await resolveByKey(tx, key, `A later reconciliation explains it: ${why.replaceAll('_', ' ')}.`)
  return true
}
