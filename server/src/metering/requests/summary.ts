// Figures of the request log by hour or day, for charts.
import { after, before, type Duration, toMs } from '../../kernel/clock.ts'
import { invalidFields } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { currentRateCard, RATE_CARDS, type RateCardVersion, rateOf } from '../../wallet/wallet.ts'
import { type Bucket, type BucketFigures, figuresByBucket, type Rates } from './requests-sql.ts'
import { filterOf, type RequestSearch, readRows, resolveSubject, type Subject } from './search.ts'

type SummaryQuery = RequestSearch & { bucket: Bucket }

const SPANS = {
  hour: { usual: { hours: 24 }, most: { days: 14 }, step: { hours: 1 } },
  day: { usual: { days: 30 }, most: { days: 400 }, step: { days: 1 } },
} as const
// Percentiles of a large organisation need more than the usual limit of a statement.
const STATEMENT_TIMEOUT_MS = 20_000

export async function summariseRequests(app: App, actor: Actor, query: SummaryQuery) {
  const { bucket } = query
  const subject = await resolveSubject(app, actor, query)
  const span = spanOf(app.clock.now(), query)
  const filter = filterOf(app, actor, subject, { ...query, ...span })
  const rates = ratesFor(currentRateCard(app), subject)
  const rows = await readRows(app, subject, async (tx) => {
    await tx.rows`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`
    return figuresByBucket(tx, filter, bucket, rates)
  })
  return {
    ...{ bucket, orgId: subject.orgId, currency: subject.currency, ...span },
    buckets: everyBucket(span, SPANS[bucket].step, rows),
  }
}

function spanOf(now: Date, { bucket, from, to = now }: SummaryQuery): { from: Date; to: Date } {
  const { usual, most } = SPANS[bucket]
  const begins = from ?? before(to, usual)
  if (begins >= to) throw invalidFields({ path: 'query.from', message: 'must be before to' })
  if (to.getTime() - begins.getTime() > toMs(most))
    throw invalidFields({
      path: 'query.from',
      message: `must be at most ${most.days} days before to for the bucket ${bucket}`,
    })
  return { from: begins, to }
}

/** One entry for every hour or day of the range, also without a call. */
function everyBucket({ from, to }: { from: Date; to: Date }, step: Duration, rows: readonly BucketFigures[]) {
  const byTime = new Map(rows.map((row) => [row.at.getTime(), row]))
  const stepMs = toMs(step)
  const buckets = []
  for (let at = new Date(Math.floor(from.getTime() / stepMs) * stepMs); at < to; at = after(at, step))
    buckets.push(toBucket(at, byTime.get(at.getTime())))
  return buckets
}

function toBucket(at: Date, row: BucketFigures | undefined) {
  return {
    at,
    requests: row?.requests ?? 0n,
    errors: row?.errors ?? 0n,
    costMinor: row?.costMinor ?? 0n,
    tokens: {
      input: row?.input ?? 0n,
      cachedInput: row?.cachedInput ?? 0n,
      cacheWrite: row?.cacheWrite ?? 0n,
      output: row?.output ?? 0n,
    },
    durationMs: percentiles(row?.durations),
    ttftMs: percentiles(row?.ttfts),
  }
}

function percentiles(found: readonly number[] | null | undefined) {
  const [p50, p95] = found ?? []
  return p50 === undefined || p95 === undefined ? null : { p50, p95 }
}

/** Amounts of one organisation stay in its currency. Those of all organisations are converted to kobo. */
function ratesFor(card: RateCardVersion, { orgId, currency }: Subject): Rates {
  if (orgId !== null) return { [currency]: { multiply: '1', divide: '1' } }
  const currencies = Object.keys(RATE_CARDS[card].rates) as Currency[]
  return Object.fromEntries(
    currencies.map((each) => {
      const { numerator, denominator } = rateOf(card, each)
      return [each, { multiply: `${denominator}`, divide: `${numerator}` }]
    }),
  )
}
