// Runs the automatic top-up of one organisation. Decisions are made under the lock of the organisation; the charge runs outside
// of it. An attempt is stored before its charge, so a retry after a crash resumes it and never charges twice.
import { createHash } from 'node:crypto'
import { after } from '../../kernel/clock.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { chargeabilityNow, findMembership, type Org } from '../../orgs/orgs.ts'
import {
  type AutomaticTopups,
  abandonPayment,
  automaticTopupsSince,
  BANK_PAGE_LIFETIME,
  chargeStoredCard,
  endUnsentCharge,
  hasContestedCardPayment,
  readChargeOutcome,
} from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { readBalances, setTopupThreshold, takeTopupDue } from '../../wallet/wallet.ts'
import { addMonths } from '../calendar.ts'
import { type ChargeableCard, chargeableCards } from '../cards/cards.ts'
import { countDecline } from '../cards/decline-limit.ts'
import { mailOwners } from '../renewals/mails.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import * as sql from '../topup-rule/topup-rule-sql.ts'
import { type AttemptOutcome, recordOutcome } from './attempt-outcome.ts'
import { limitMail, pausedMail } from './mails.ts'
import { pauseTopup } from './pause.ts'

type Step =
  | { readonly do: 'stop' }
  | {
      readonly do: 'charge'
      readonly attempt: sql.Attempt
      readonly topup: sql.AutomaticTopup
      readonly card: ChargeableCard
    }
  /** The attempt may no longer be sent: only its payment is checked. */
  | { readonly do: 'reconcile'; readonly reference: string }
  /** An owner chose another card while the bank still waits for a confirmation. */
  | { readonly do: 'abandon'; readonly reference: string }
  | { readonly do: 'record'; readonly reference: string; readonly outcome: AttemptOutcome }

const STOP: Step = { do: 'stop' }

/** Longer than a charge takes. */
const FIRST_CHECK = { seconds: 60 }
/** The organisation may not be charged now. */
const REFUSED_CHECK = { hours: 1 }
const STEPS_MAX = 4

/** Charges the card if the balance is low. A concurrent second call finds nothing to do. */
export async function runAutomaticTopup(app: App, orgId: OrgId, signal?: AbortSignal): Promise<void> {
  for (let count = 0; count < STEPS_MAX && !signal?.aborted; count++) {
    const step = await app.db.tx(orgId, (tx) => decideStep(app, tx, orgId))
    if (step.do === 'stop') return
    const reference = step.do === 'charge' ? step.attempt.reference : step.reference
    const outcome = await perform(app, orgId, step)
    const isOver = await app.db.tx(orgId, (tx) => recordOutcome(app, tx, orgId, reference, outcome))
    if (!isOver) return
    if (outcome.outcome === 'declined' && !outcome.isUnsent) await countDecline(app, orgId)
  }
}

/** The provider calls. None of them runs in a transaction. */
async function perform(app: App, orgId: OrgId, step: Exclude<Step, { do: 'stop' }>): Promise<AttemptOutcome> {
  switch (step.do) {
    case 'charge': {
      const { attempt, topup, card } = step
      const { reference, amountMinor } = attempt
      const { userId, currency } = topup
      return chargeStoredCard(app, { reference, orgId, userId, billId: null, card, amountMinor, currency })
    }
    case 'reconcile':
      return endUnsentCharge(app, { orgId, reference: step.reference })
    case 'abandon': {
      const ended = await abandonPayment(app, { orgId, reference: step.reference })
      return ended.outcome === 'declined' ? { outcome: 'dropped' } : ended
    }
    case 'record':
      return step.outcome
  }
}

async function decideStep(app: App, tx: Tx, orgId: OrgId): Promise<Step> {
  const org = await lockOrg(tx, orgId)
  const topup = await sql.findTopup(tx, orgId)
  await takeTopupDue(tx, orgId)
  if (!org || !topup) return STOP
  const attempt = sql.attemptOf(topup)
  if (attempt) return resumeAttempt(app, tx, { org, topup, attempt })
  await sql.setCheckAt(tx, orgId, null)
  if (topup.status !== 'active') return STOP
  const { currency, balanceMinor } = await readBalances(tx, orgId)
  if (balanceMinor >= topup.thresholdMinor) return rearm(tx, topup)
  if (!chargeabilityNow(app, org).chargeable) {
    await sql.setCheckAt(tx, orgId, after(tx.now, REFUSED_CHECK))
    return STOP
  }
  if (currency !== topup.currency) return pause(app, tx, topup, 'currency_changed')
  if (await hasContestedCardPayment(tx, orgId, topup.enabledAt))
    return pause(app, tx, topup, 'payment_disputed')
  const card = (await chargeableCards(app, tx, orgId)).find(({ id }) => id === topup.cardId)
  if (!card) return pause(app, tx, topup, 'card_unusable')
  if (!(await isAuthorised(tx, topup, card))) return pause(app, tx, topup, 'member_left')
  const month = await monthTotal(tx, topup, null)
  if (month.minor + topup.amountMinor > topup.monthlyMaxMinor) return limit(app, tx, topup, month)
  return startAttempt(tx, topup, card)
}

type OpenAttempt = { readonly org: Org; readonly topup: sql.AutomaticTopup; readonly attempt: sql.Attempt }

async function resumeAttempt(app: App, tx: Tx, open: OpenAttempt): Promise<Step> {
  const { topup, attempt } = open
  const { reference, cardId } = attempt
  const stored = await readChargeOutcome(tx, topup.orgId, reference)
  if (stored?.outcome === 'paid' || stored?.outcome === 'declined')
    return { do: 'record', reference, outcome: stored }
  if (stored?.outcome === 'challenged' && topup.status === 'active' && topup.cardId !== cardId)
    return { do: 'abandon', reference }
  // The sweeper of payments checks it too. Until the next check this only waits.
  if (stored && topup.checkAt !== null && topup.checkAt > tx.now) return STOP
  const card = (await chargeableCards(app, tx, topup.orgId)).find(({ id }) => id === cardId)
  if (card && (await maySend(app, tx, open, card))) return { do: 'charge', attempt, topup, card }
  return stored
    ? { do: 'reconcile', reference }
    : { do: 'record', reference, outcome: { outcome: 'dropped' } }
}

/** Whether the charge of an attempt may be sent now, for the first time or again. Everything can have changed since it started. */
async function maySend(
  app: App,
  tx: Tx,
  { org, topup, attempt }: OpenAttempt,
  card: ChargeableCard,
): Promise<boolean> {
  const { orgId, status, cardId, amountMinor, monthlyMaxMinor, enabledAt } = topup
  if (status !== 'active' || attempt.cardId !== cardId || attempt.amountMinor !== amountMinor) return false
  if (!chargeabilityNow(app, org).chargeable || (await hasContestedCardPayment(tx, orgId, enabledAt)))
    return false
  if ((await readBalances(tx, orgId)).currency !== topup.currency) return false
  if (!(await isAuthorised(tx, topup, card))) return false
  return (await monthTotal(tx, topup, attempt.reference)).minor + amountMinor <= monthlyMaxMinor
}

/** The person who turned it on is still an owner, and the person who added the card still a member. */
async function isAuthorised(
  tx: Tx,
  { orgId, userId }: sql.AutomaticTopup,
  card: ChargeableCard,
): Promise<boolean> {
  if ((await findMembership(tx, orgId, userId))?.role !== 'owner') return false
  return (await findMembership(tx, orgId, card.userId as UserId)) !== undefined
}

const monthTotal = (tx: Tx, { orgId }: sql.AutomaticTopup, except: string | null) =>
  automaticTopupsSince(tx, orgId, monthOf(tx.now), except)

async function startAttempt(tx: Tx, topup: sql.AutomaticTopup, card: ChargeableCard): Promise<Step> {
  const { orgId, amountMinor, attempts, cardId } = topup
  const attempt = { reference: attemptReference(orgId, attempts + 1), amountMinor, cardId, at: tx.now }
  await sql.startAttempt(tx, orgId, attempt, after(tx.now, FIRST_CHECK))
  return { do: 'charge', attempt, topup, card }
}

/** 28 lowercase letters and digits, the same for every retry of an attempt. */
export function attemptReference(orgId: OrgId, attempt: number): string {
  const digest = createHash('sha256').update(`automatic top-up ${orgId} ${attempt}`).digest('hex')
  return `ta${BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-26)}`
}

async function pause(
  app: App,
  tx: Tx,
  topup: sql.AutomaticTopup,
  reason: 'currency_changed' | 'payment_disputed' | 'card_unusable' | 'member_left',
): Promise<Step> {
  await pauseTopup(app, tx, topup, { reason, detail: null, mail: pausedMail(app, topup, reason, null) })
  return STOP
}

/** The wallet triggers nothing until the next month, or until the pages of replaced charges have expired. */
async function limit(
  app: App,
  tx: Tx,
  topup: sql.AutomaticTopup,
  { minor, replacedMinor }: AutomaticTopups,
): Promise<Step> {
  const isShort = minor - replacedMinor + topup.amountMinor <= topup.monthlyMaxMinor
  const until = isShort ? after(tx.now, BANK_PAGE_LIFETIME) : addMonths(monthOf(tx.now), 1)
  await sql.markLimited(tx, topup.orgId, until)
  await setTopupThreshold(tx, topup.orgId, null)
  await mailOwners(app, tx, topup.orgId, limitMail(app, topup, until))
  return STOP
}

/** The balance is high enough. After a wait, the wallet triggers again. */
async function rearm(tx: Tx, { orgId, thresholdMinor, limitedUntil }: sql.AutomaticTopup): Promise<Step> {
  if (limitedUntil !== null) await sql.clearLimit(tx, orgId)
  await setTopupThreshold(tx, orgId, thresholdMinor)
  return STOP
}

/** Calendar months in UTC. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
