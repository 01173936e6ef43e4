// Saved quotes. For an hour a change is charged at the price that was quoted for it.
import { z } from 'zod'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Json, json, type Tx } from '../../platform/db/tx.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { INTERVALS, isRateCardVersion, PLAN_CODES } from '../plans/plans.ts'
import type { Subscription, SubscriptionId } from '../subscriptions/subscriptions.ts'
import { allowanceChangeAt } from './allowance.ts'
import type { PlanTarget, Quote } from './quote.ts'

const PREVIEW_VALID_FOR = { hours: 1 }
/** Per subscription; the oldest are deleted. */
const PREVIEWS_MAX = 50
const BATCH_SIZE = 1_000
const ROUNDS_MAX = 20

export const planTarget = ({ planCode, interval }: PlanTarget): string => `${planCode}/${interval}`
export const seatsTarget = (seats: number): string => `seats/${seats}`

/** Saves a quote and returns its expiry. A later quote for the same target replaces it. */
export async function savePreview(
  tx: Tx,
  { id, orgId, version }: Subscription,
  target: string,
  quote: Quote,
): Promise<Date> {
  const expiresAt = after(tx.now, PREVIEW_VALID_FOR)
  await putPreview(tx, { subscriptionId: id, orgId, target, version, quote: json(quote), expiresAt })
  await trimPreviews(tx, { subscriptionId: id, target }, PREVIEWS_MAX - 1)
  return expiresAt
}

/**
 * The saved quote for a target, if the subscription has not changed since. The price stays; the allowance is
 * calculated for now, because a new month may have started.
 */
export async function findSavedQuote(
  tx: Tx,
  subscription: Subscription,
  target: string,
): Promise<Quote | null> {
  const { id, version } = subscription
  const found = await findPreview(tx, { subscriptionId: id, target, version })
  if (!found) return null
  const quote = quoteFromJson(found.quote)
  const { effect } = quote
  if (!effect) return quote
  return { ...quote, effect: { ...effect, allowanceMinor: allowanceChangeAt(subscription, effect, tx.now) } }
}

/**
 * The quote to charge: the saved one, or the current price. If the subscription changed since the preview (its
 * period may have ended) and the price rose, throws `price_changed`, so that the customer never pays more than was
 * quoted.
 */
export async function quoteToCharge(
  tx: Tx,
  subscription: Subscription,
  target: string,
  quoteNow: () => Quote,
): Promise<Quote> {
  const saved = await findSavedQuote(tx, subscription, target)
  if (saved) return saved
  const quote = quoteNow()
  const outdated = await findOutdatedPreview(tx, subscription, target)
  const toldMinor = outdated ? quoteFromJson(outdated.quote).chargeNowMinor : quote.chargeNowMinor
  if (quote.chargeNowMinor <= toldMinor) return quote
  throw new ApiError('price_changed', { toldMinor, chargeNowMinor: quote.chargeNowMinor })
}

/** Amounts are restored from JSON as bigint; dates are strings. */
export const quoteFromJson = (stored: unknown): Quote => StoredQuote.parse(stored)

const instant = z.iso.datetime().transform((text) => new Date(text))
const StoredQuote = z.object({
  lines: z.array(z.object({ description: z.string(), quantity: z.int(), amountMinor: z.bigint() })),
  chargeNowMinor: z.bigint(),
  creditMinor: z.bigint(),
  walletCreditMinor: z.bigint(),
  effectiveAt: instant,
  nextAmountMinor: z.bigint(),
  effect: z
    .object({
      planCode: z.enum(PLAN_CODES),
      interval: z.enum(INTERVALS),
      rateCardVersion: z.string().refine(isRateCardVersion),
      seats: z.int(),
      seatsPaid: z.int(),
      anchor: instant,
      periodStart: instant,
      periodEnd: instant,
      allowanceMinor: z.bigint().nullable(),
    })
    .nullable(),
})

export const previewJobs: readonly JobKind[] = [
  job('billing.forgetPreviews', {
    attempts: 1,
    async run(app) {
      // The next run continues after the limit.
      for (let round = 0; round < ROUNDS_MAX; round++)
        if ((await app.db.tx('platform', (tx) => deletePreviews(tx, BATCH_SIZE))) < BATCH_SIZE) return
    },
  }),
]

export const previewSchedules: readonly Schedule[] = [
  { name: 'billing.forgetPreviews', job: 'billing.forgetPreviews', everySeconds: 3_600 },
]

type PreviewKey = {
  readonly subscriptionId: SubscriptionId
  readonly target: string
  readonly version: number
}

export async function putPreview(
  tx: Tx,
  preview: PreviewKey & { orgId: OrgId; quote: Json; expiresAt: Date },
): Promise<void> {
  const { subscriptionId, orgId, target, version, quote, expiresAt } = preview
  await tx.rows`
    insert into previews (subscription_id, org_id, target, version, quote, created_at, expires_at)
    values (${subscriptionId}, ${orgId}, ${target}, ${version}, ${quote}, ${tx.now}, ${expiresAt})
    on conflict (subscription_id, target) do update set
      version = excluded.version, quote = excluded.quote, created_at = excluded.created_at,
      expires_at = excluded.expires_at`
}

/** Keeps this preview and the newest `others` of its subscription. */
export async function trimPreviews(
  tx: Tx,
  { subscriptionId, target }: Omit<PreviewKey, 'version'>,
  others: number,
): Promise<void> {
  await tx.rows`
    delete from previews where subscription_id = ${subscriptionId} and target in (
      select target from previews where subscription_id = ${subscriptionId} and target <> ${target}
      order by created_at desc, target offset ${others})`
}

export function findPreview(tx: Tx, { subscriptionId, target, version }: PreviewKey) {
  return tx.maybe<{ quote: unknown }>`
    select quote from previews
    where subscription_id = ${subscriptionId} and target = ${target} and version = ${version}
      and expires_at > ${tx.now}`
}

/** An unexpired quote for another version of the subscription. */
export function findOutdatedPreview(
  tx: Tx,
  { id, version }: { id: SubscriptionId; version: number },
  target: string,
) {
  return tx.maybe<{ quote: unknown }>`
    select quote from previews
    where subscription_id = ${id} and target = ${target} and version <> ${version} and expires_at > ${tx.now}`
}

export async function deletePreviews(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.rows`
    delete from previews where (subscription_id, target) in (
      select subscription_id, target from previews where expires_at <= ${tx.now} order by expires_at limit ${limit})
    returning target`
  return rows.length
}
