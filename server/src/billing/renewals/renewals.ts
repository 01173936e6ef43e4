// Renewals that are due, in rounds. Whoever runs them, and however many at once, a period is charged once.
import { after } from '../../kernel/clock.ts'
import { cardCurrencies, hasLiveCards } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { type RenewalOutcome, renewSubscription } from './renew-subscription.ts'
import { countDue, type DueSubscription, findDueSubscriptions } from './renewals-sql.ts'

export type RenewalRun = {
  readonly charged: number
  readonly declined: number
  /** Due, and left as they are: they may not be charged, somebody else is at them, or the next run goes on. */
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

/** Works through what is due; what is left at the bound waits for the next run. Without live cards nothing is charged. */
export async function runRenewals(app: App, signal?: AbortSignal): Promise<RenewalRun> {
  const tally = { charged: 0, declined: 0, challenged: 0, pending: 0, ended: 0, renewed: 0, left: 0 }
  const hasCards = hasLiveCards(app)
  const until = after(app.clock.now(), { ms: RUN_MS })
  const isOver = () => signal?.aborted === true || app.clock.now() >= until
  let past: DueSubscription | null = null
  for (let seen = 0; seen < SUBSCRIPTIONS_MAX && !isOver(); seen += BATCH) {
    const last: DueSubscription | null = past
    const due: DueSubscription[] = await app.db.tx('platform', (tx) =>
      findDueSubscriptions(tx, { hasCards, cardCurrencies: cardCurrencies(), past: last, most: BATCH }),
    )
    await forEachConcurrently(due, CONCURRENCY, isOver, async (each) => {
      tally[await tryToRenew(app, each, hasCards)]++
    })
    past = due.at(-1) ?? past
    if (due.length < BATCH) break
  }
  const { left: _, ...decided } = tally
  return { ...decided, skipped: await app.db.tx('platform', (tx) => countDue(tx, COUNTED_MAX)) }
}

/** One that fails stops no other: it is tried again by a later run. */
async function tryToRenew(app: App, due: DueSubscription, hasCards: boolean): Promise<RenewalOutcome> {
  try {
    return await renewSubscription(app, due, hasCards)
  } catch (error) {
    app.log.error(
      { err: error, orgId: due.orgId, subscriptionId: due.id },
      'billing.subscription.renewal_failed',
    )
    return 'left'
  }
}

/** So many at a time, in order, until it is over. */
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
