// SQL of automatic top-ups. Callers that change a row hold `lockOrg`.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

type CardId = Id<'pm'>

export const PAUSED_REASONS = [
  'card_declined',
  'bank_confirmation',
  'card_unusable',
  'payment_disputed',
  'currency_changed',
  'no_answer',
  'member_left',
] as const
export type PausedReason = (typeof PAUSED_REASONS)[number]

/** The values that the customer chooses. */
export type TopupRule = {
  cardId: CardId
  thresholdMinor: bigint
  amountMinor: bigint
  monthlyMaxMinor: bigint
}

export type AutomaticTopup = TopupRule & {
  orgId: OrgId
  /** The person who turned it on. */
  userId: UserId
  status: 'active' | 'paused' | 'off'
  currency: Currency
  pausedReason: PausedReason | null
  /** The words of the bank. */
  pausedDetail: string | null
  pausedAt: Date | null
  limitedUntil: Date | null
  attempts: number
  attemptReference: string | null
  attemptAmountMinor: bigint | null
  attemptCardId: CardId | null
  attemptAt: Date | null
  checkAt: Date | null
  enabledAt: Date
  updatedAt: Date
}

export type Attempt = { reference: string; amountMinor: bigint; cardId: CardId; at: Date }

export function attemptOf(topup: AutomaticTopup): Attempt | null {
  const { attemptReference, attemptAmountMinor, attemptCardId, attemptAt } = topup
  if (!attemptReference || !attemptAmountMinor || !attemptCardId || !attemptAt) return null
  return {
    reference: attemptReference,
    amountMinor: attemptAmountMinor,
    cardId: attemptCardId,
    at: attemptAt,
  }
}

export function findTopup(tx: Tx, org: OrgId): Promise<AutomaticTopup | undefined> {
  return tx.maybe<AutomaticTopup>`
    select org_id as "orgId", user_id as "userId", status, card_id as "cardId", currency, threshold_minor as "thresholdMinor",
           amount_minor as "amountMinor", monthly_max_minor as "monthlyMaxMinor", paused_reason as "pausedReason",
           paused_detail as "pausedDetail", paused_at as "pausedAt", limited_until as "limitedUntil", attempts,
           attempt_reference as "attemptReference", attempt_amount_minor as "attemptAmountMinor",
           attempt_card_id as "attemptCardId", attempt_at as "attemptAt", check_at as "checkAt", enabled_at as "enabledAt",
           updated_at as "updatedAt"
    from automatic_topups where org_id = ${org}`
}

export async function isTopupCard(tx: Tx, org: OrgId, cardId: CardId): Promise<boolean> {
  return (await findTopup(tx, org))?.cardId === cardId
}

/** Turns it on with these values. An open attempt and the number of attempts stay. */
export async function storeRule(
  tx: Tx,
  { orgId, userId, currency, ...rule }: TopupRule & Pick<AutomaticTopup, 'orgId' | 'userId' | 'currency'>,
): Promise<void> {
  await tx.rows`
    insert into automatic_topups (org_id, user_id, status, card_id, currency, threshold_minor, amount_minor,
                                  monthly_max_minor, enabled_at, created_at, updated_at)
    values (${orgId}, ${userId}, 'active', ${rule.cardId}, ${currency}, ${rule.thresholdMinor}, ${rule.amountMinor},
            ${rule.monthlyMaxMinor}, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict (org_id) do update set user_id = excluded.user_id, status = 'active', card_id = excluded.card_id,
      currency = excluded.currency, threshold_minor = excluded.threshold_minor, amount_minor = excluded.amount_minor,
      monthly_max_minor = excluded.monthly_max_minor, paused_reason = null, paused_detail = null, paused_at = null,
      limited_until = null, enabled_at = excluded.enabled_at, updated_at = excluded.updated_at`
}

export async function markOff(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update automatic_topups set status = 'off', paused_reason = null, paused_detail = null, paused_at = null,
      limited_until = null, updated_at = ${tx.now}
    where org_id = ${org}`
}

export async function markActive(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update automatic_topups set status = 'active', paused_reason = null, paused_detail = null, paused_at = null,
      updated_at = ${tx.now}
    where org_id = ${org}`
}

export async function markPaused(
  tx: Tx,
  org: OrgId,
  reason: PausedReason,
  detail: string | null,
): Promise<void> {
  await tx.rows`
    update automatic_topups set status = 'paused', paused_reason = ${reason}, paused_detail = ${detail},
      paused_at = coalesce(paused_at, ${tx.now}), limited_until = null, updated_at = ${tx.now}
    where org_id = ${org}`
}

/** The monthly maximum is reached: the next month looks again. */
export async function markLimited(tx: Tx, org: OrgId, until: Date): Promise<void> {
  await tx.rows`
    update automatic_topups set limited_until = ${until}, check_at = ${until} where org_id = ${org}`
}

export async function clearLimit(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`update automatic_topups set limited_until = null where org_id = ${org}`
}

export async function startAttempt(tx: Tx, org: OrgId, attempt: Attempt, checkAt: Date): Promise<void> {
  await tx.rows`
    update automatic_topups set attempts = attempts + 1, attempt_reference = ${attempt.reference},
      attempt_amount_minor = ${attempt.amountMinor}, attempt_card_id = ${attempt.cardId}, attempt_at = ${attempt.at},
      check_at = ${checkAt}, limited_until = null
    where org_id = ${org} and attempt_reference is null`
}

export async function endAttempt(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update automatic_topups set attempt_reference = null, attempt_amount_minor = null, attempt_card_id = null,
      attempt_at = null, check_at = null
    where org_id = ${org}`
}

export async function setCheckAt(tx: Tx, org: OrgId, at: Date | null): Promise<void> {
  await tx.rows`update automatic_topups set check_at = ${at} where org_id = ${org}`
}

/** Needs the platform scope. */
export async function orgsToCheck(tx: Tx, limit: number): Promise<OrgId[]> {
  const rows = await tx.rows<{ orgId: OrgId }>`
    select org_id as "orgId" from automatic_topups where check_at <= ${tx.now} order by check_at limit ${limit}`
  return rows.map(({ orgId }) => orgId)
}

export function exportTopup(tx: Tx, org: OrgId) {
  return tx.maybe<object>`
    select user_id as "userId", status, card_id as "cardId", currency, threshold_minor as "thresholdMinor",
           amount_minor as "amountMinor", monthly_max_minor as "monthlyMaxMinor", paused_reason as "pausedReason",
           paused_detail as "pausedDetail", paused_at as "pausedAt", attempts, attempt_reference as "attemptReference",
           created_at as "createdAt", updated_at as "updatedAt"
    from automatic_topups where org_id = ${org}`
}
