// Reads and changes the automatic top-up of an organisation.
import { record } from '../../audit/audit.ts'
import { ApiError, type Field, invalidFields } from '../../kernel/errors.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import { findMembership } from '../../orgs/orgs.ts'
import { automaticTopupsSince, canCharge, readChargeOutcome, validateTopup } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { readBalances, setTopupThreshold } from '../../wallet/wallet.ts'
import { isExpired } from '../cards/cards.ts'
import { type CardRow, findCards } from '../cards/cards-sql.ts'
import { requireBelowDeclineLimit } from '../cards/decline-limit.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import * as sql from '../topup-rule/topup-rule-sql.ts'
import { turnOffTopup } from '../topup-rule/turn-off.ts'
import { monthOf } from './run-topup.ts'

export type TopupRuleInput = Omit<sql.TopupRule, 'cardId'> & { readonly cardId: string }

export const readAutomaticTopup = (app: App, orgId: OrgId) => app.db.tx(orgId, (tx) => viewTopup(tx, orgId))

/**
 * Turns it on or changes it, and resumes it if it was paused. The same values again change nothing. If the balance is below the
 * threshold already, the card is charged soon.
 */
export function setAutomaticTopup(app: App, actor: Actor, input: TopupRuleInput, ip: string | null) {
  const { orgId, userId, org } = actor
  if (org.suspended) throw new ApiError('org_suspended')
  return app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const { currency } = await readBalances(tx, orgId)
    validateTopup(app, { amountMinor: input.amountMinor, channel: 'card' }, currency)
    const cards = await findCards(tx, orgId)
    const { rule, problems } = validateRule(app, tx, input, cards, currency)
    const card = cards.find(({ id }) => id === input.cardId)
    if (card && !(await findMembership(tx, orgId, card.userId as UserId)))
      problems.push({ path: 'cardId', message: 'must be a card of a member; add it again' })
    if (problems.length > 0) throw invalidFields(...problems)
    if (!rule) throw new ApiError('not_found')
    const earlier = await sql.findTopup(tx, orgId)
    if (earlier?.status === 'active' && isSameRule(earlier, { ...rule, currency }))
      return viewTopup(tx, orgId)
    // Turning it on or resuming charges the card again.
    if (earlier?.status !== 'active') await requireBelowDeclineLimit(app, tx, orgId)
    if (earlier) await requireNoBankPage(tx, earlier, rule.cardId)
    await sql.storeRule(tx, { ...rule, orgId, userId, currency })
    await setTopupThreshold(tx, orgId, rule.thresholdMinor)
    const view = await viewTopup(tx, orgId)
    const { thresholdMinor, amountMinor, monthlyMaxMinor, cardId } = rule
    await record(tx, {
      ...{ orgId, actor, ip, action: 'automaticTopup.set', target: cardId },
      metadata: { thresholdMinor, amountMinor, monthlyMaxMinor, currency, from: earlier?.status ?? 'off' },
    })
    return view
  })
}

export function endAutomaticTopup(app: App, actor: Actor, ip: string | null): Promise<void> {
  return app.db.tx(actor.orgId, async (tx) => {
    await lockOrg(tx, actor.orgId)
    await turnOffTopup(tx, actor.orgId, { actor, ip, why: 'turned off' })
  })
}

/** All problems at once. The amount itself is checked as for any top-up by card. */
function validateRule(
  app: App,
  tx: Tx,
  { cardId, thresholdMinor, amountMinor, monthlyMaxMinor }: TopupRuleInput,
  cards: readonly CardRow[],
  currency: Currency,
): { rule: sql.TopupRule | null; problems: Field[] } {
  const card = cards.find(({ id }) => id === cardId)
  const amount = `amountMinor, ${amountMinor} (${format(money(amountMinor, currency))})`
  const problems = [
    thresholdMinor > amountMinor && { path: 'thresholdMinor', message: `must be at most ${amount}` },
    monthlyMaxMinor < amountMinor && { path: 'monthlyMaxMinor', message: `must be at least ${amount}` },
    cardProblem(app, tx, card),
  ].filter((problem) => problem !== false && problem !== undefined)
  return card && problems.length === 0
    ? { rule: { cardId: card.id, thresholdMinor, amountMinor, monthlyMaxMinor }, problems }
    : { rule: null, problems }
}

function cardProblem(app: App, tx: Tx, card: CardRow | undefined): Field | undefined {
  const path = 'cardId'
  if (!card) return undefined
  if (isExpired(card, tx.now)) return { path, message: 'must be a card that is not expired' }
  if (!canCharge(app, card)) return { path, message: 'must be a card that can be charged; add it again' }
  return undefined
}

const isSameRule = (one: sql.AutomaticTopup, other: sql.TopupRule & { currency: Currency }): boolean =>
  one.cardId === other.cardId &&
  one.currency === other.currency &&
  one.thresholdMinor === other.thresholdMinor &&
  one.amountMinor === other.amountMinor &&
  one.monthlyMaxMinor === other.monthlyMaxMinor

/** A second charge of the card beside the open page of its bank would be a charge too many. */
async function requireNoBankPage(tx: Tx, earlier: sql.AutomaticTopup, cardId: string): Promise<void> {
  const attempt = sql.attemptOf(earlier)
  if (attempt?.cardId !== cardId) return
  const { reference } = attempt
  const stored = await readChargeOutcome(tx, earlier.orgId, reference)
  if (stored?.outcome !== 'challenged') return
  const { authorizationUrl } = stored
  throw new ApiError('card_challenged', {
    error:
      'The bank still waits for you to confirm the last charge of this card. Open "authorizationUrl", or choose another card.',
    ...{ authorizationUrl, reference },
  })
}

async function viewTopup(tx: Tx, orgId: OrgId) {
  const topup = await sql.findTopup(tx, orgId)
  const openAttempt = topup ? await viewAttempt(tx, topup) : null
  const card = topup && (await findCards(tx, orgId)).find(({ id }) => id === topup.cardId)
  if (!topup || topup.status === 'off' || !card) return { automaticTopup: null, openAttempt }
  const { status, currency, thresholdMinor, amountMinor, monthlyMaxMinor, updatedAt, limitedUntil } = topup
  const { pausedReason, pausedDetail, pausedAt } = topup
  const { id, brand, last4 } = card
  const automaticTopup = {
    ...{ status, currency, thresholdMinor, amountMinor, monthlyMaxMinor, card: { id, brand, last4 } },
    monthChargedMinor: (await automaticTopupsSince(tx, orgId, monthOf(tx.now))).minor,
    limitedUntil: limitedUntil !== null && limitedUntil > tx.now ? limitedUntil : null,
    ...{ pausedReason, pausedDetail, pausedAt, attempt: openAttempt, updatedAt },
  }
  return { automaticTopup, openAttempt }
}

async function viewAttempt(tx: Tx, topup: sql.AutomaticTopup) {
  const attempt = sql.attemptOf(topup)
  if (!attempt) return null
  const { reference, amountMinor, at: startedAt } = attempt
  const outcome = await readChargeOutcome(tx, topup.orgId, reference)
  const authorizationUrl = outcome?.outcome === 'challenged' ? outcome.authorizationUrl : null
  return { reference, amountMinor, startedAt, authorizationUrl }
}
