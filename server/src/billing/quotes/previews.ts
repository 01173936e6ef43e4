// What a change was said to cost is kept for an hour: the charge that follows is the one that was told.
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
/** Of one subscription; nobody compares more than so many at a time, and the oldest are forgotten. */
const PREVIEWS_MAX = 50
const AT_ONCE = 1_000
const ROUNDS_MAX = 20

export const planTarget = ({ planCode, interval }: PlanTarget): string => `${planCode}/${interval}`
export const seatsTarget = (seats: number): string => `seats/${seats}`

/** Keeps a quote, and says until when it is good. A later one about the same takes its place. */
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
 * What was told within the hour about this target, while the subscription is still what it was told about. The money is as
 * it was told; what it adds to the allowance is reckoned from now, because a month may have begun meanwhile.
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
 * What is charged for a target: what was told within the hour, or what it costs now. Where the subscription has become
 * another since the telling (its period may have ended), nobody pays more than they were told: they are asked to look again.
 */
export async function quoteToCharge(
  tx: Tx,
  subscription: Subscription,
  target: string,
  quoteNow: () => Quote,
): Promise<Quote> {
  const told = await findSavedQuote(tx, subscription, target)
  if (told) return told
  const quote = quoteNow()
  const outdated = await findOutdatedPreview(tx, subscription, target)
  const toldMinor = outdated ? quoteFromJson(outdated.quote).chargeNowMinor : quote.chargeNowMinor
  if (quote.chargeNowMinor <= toldMinor) return quote
  throw new ApiError('price_changed', { toldMinor, chargeNowMinor: quote.chargeNowMinor })
}

/** What the database gives back of a quote: money is exact there, instants are texts. */
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
      // What is left at the bound waits for the next run.
      for (let round = 0; round < ROUNDS_MAX; round++)
        if ((await app.db.tx('platform', (tx) => deletePreviews(tx, AT_ONCE))) < AT_ONCE) return
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

/** Keeps this one and so many others of its subscription, the newest. */
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

/** What was told of an earlier version, and would still be good. */
export function findOutdatedPreview(
  tx: Tx,
  { id, version }: { id: SubscriptionId; version: number },
  target: string,
) {
  return tx.maybe<{ quote: unknown }>`
    select quote from previews
    where subscription_id = ${id} and target = ${target} and version <> ${version} and expires_at > ${tx.now}`
}

export async function deletePreviews(tx: Tx, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from previews where (subscription_id, target) in (
      select subscription_id, target from previews where expires_at <= ${tx.now} order by expires_at limit ${most})
    returning target`
  return rows.length
}
