// Runs due renewals in batches. A period is charged once, even if several runs overlap.
import { after } from '../../kernel/clock.ts'
import { cardCurrencies, hasLiveCards } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { type RenewalOutcome, renewSubscription } from './renew-subscription.ts'
import { countDue, type DueSubscription, findDueSubscriptions } from './renewals-sql.ts'

export type RenewalRun = {
  readonly charged: number
  readonly declined: number
  /** Still due: they may not be charged, another run has them, or the next run continues. */
  readonly skipped: number
  readonly challenged: number
  readonly pending: number
  readonly ended: number
  /** Renewed at no charge. */
  readonly renewed: number
}

const CONCURRENCY = 4
const BATCH = 100
const SUBSCRIPTIONS_MAX = 500
const COUNTED_MAX = 1_000
const RUN_MS = 60_000

/** Renews what is due; the next run continues after the limit. Charges no card without a live provider key. */
export async function runRenewals(app: App, signal?: AbortSignal): Promise<RenewalRun> {
  const tally = { charged: 0, declined: 0, challenged: 0, pending: 0, ended: 0, renewed: 0, untouched: 0 }
  const hasCards = hasLiveCards(app)
  const until = after(app.clock.now(), { ms: RUN_MS })
  const isOver = () => signal?.aborted === true || app.clock.now() >= until
  let cursor: DueSubscription | null = null
  for (let count = 0; count < SUBSCRIPTIONS_MAX && !isOver(); count += BATCH) {
    const last: DueSubscription | null = cursor
    const due: DueSubscription[] = await app.db.tx('platform', (tx) =>
      findDueSubscriptions(tx, { hasCards, cardCurrencies: cardCurrencies(), cursor: last, limit: BATCH }),
    )
    await forEachConcurrently(due, CONCURRENCY, isOver, async (each) => {
      tally[await tryToRenew(app, each, hasCards)]++
    })
    cursor = due.at(-1) ?? cursor
    if (due.length < BATCH) break
  }
  const { untouched: _, ...decided } = tally
  return { ...decided, skipped: await app.db.tx('platform', (tx) => countDue(tx, COUNTED_MAX)) }
}

/** A failure does not stop the others; a later run retries it. */
async function tryToRenew(app: App, due: DueSubscription, hasCards: boolean): Promise<RenewalOutcome> {
  try {
    return await renewSubscription(app, due, hasCards)
  } catch (error) {
    app.log.error(
      { err: error, orgId: due.orgId, subscriptionId: due.id },
      'billing.subscription.renewal_failed',
    )
    return 'untouched'
  }
}

/** Runs in order with limited concurrency, until `isOver`. */
async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  isOver: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) {
      if (isOver()) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
