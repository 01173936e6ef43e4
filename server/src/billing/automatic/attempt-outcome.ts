// Records the outcome of an automatic top-up. The payment itself is credited by its settlement.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { ChargeOutcome } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { setTopupThreshold } from '../../wallet/wallet.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import * as sql from '../topup-rule/topup-rule-sql.ts'
import { confirmationMail, pausedMail } from './mails.ts'
import { pauseTopup } from './pause.ts'

/** `dropped`: the attempt charged nothing and needs no notice. */
export type AttemptOutcome = ChargeOutcome | { readonly outcome: 'dropped' }

/** The shortest time between two attempts, if the first never reached the provider. */
const RETRY_AFTER = { minutes: 10 }
const CHECK_AFTER_MS = { min: 60_000, max: 900_000 }

/** Returns whether the attempt is over and the next one may start. An attempt that another call ended stays as it is. */
export async function recordOutcome(
  app: App,
  tx: Tx,
  orgId: OrgId,
  reference: string,
  outcome: AttemptOutcome,
): Promise<boolean> {
  await lockOrg(tx, orgId)
  const topup = await sql.findTopup(tx, orgId)
  const attempt = topup && sql.attemptOf(topup)
  if (!topup || attempt?.reference !== reference) return false
  switch (outcome.outcome) {
    case 'paid':
      return recordPaid(tx, topup)
    case 'dropped':
      await sql.endAttempt(tx, orgId)
      if (topup.status === 'active') await setTopupThreshold(tx, orgId, topup.thresholdMinor)
      return true
    case 'declined':
      return outcome.isUnsent ? recordUnsent(tx, topup, attempt) : recordDecline(app, tx, topup, outcome)
    case 'challenged':
      await waitForAnswer(tx, topup, attempt)
      if (topup.status === 'active')
        await pauseTopup(app, tx, topup, {
          reason: 'bank_confirmation',
          detail: null,
          mail: confirmationMail(topup, outcome.authorizationUrl),
        })
      return false
    case 'pending':
      await waitForAnswer(tx, topup, attempt)
      return false
  }
}

async function recordPaid(tx: Tx, topup: sql.AutomaticTopup): Promise<boolean> {
  const { orgId, thresholdMinor, status, pausedReason } = topup
  await sql.endAttempt(tx, orgId)
  // The owner confirmed at the bank, so the card works.
  const isConfirmed = status === 'paused' && pausedReason === 'bank_confirmation'
  if (isConfirmed) await sql.markActive(tx, orgId)
  if (isConfirmed || status === 'active') await setTopupThreshold(tx, orgId, thresholdMinor)
  return true
}

/** The provider could not be reached. No bank declined anything, so another attempt follows later. */
async function recordUnsent(
  tx: Tx,
  { orgId, status, thresholdMinor }: sql.AutomaticTopup,
  { at }: sql.Attempt,
): Promise<boolean> {
  await sql.endAttempt(tx, orgId)
  if (status !== 'active') return true
  const retryAt = after(at, RETRY_AFTER)
  const isEarly = retryAt > tx.now
  await setTopupThreshold(tx, orgId, isEarly ? null : thresholdMinor)
  if (isEarly) await sql.setCheckAt(tx, orgId, retryAt)
  return !isEarly
}

/** One decline pauses it: banks treat repeated declines as an attack. */
async function recordDecline(
  app: App,
  tx: Tx,
  topup: sql.AutomaticTopup,
  { reason: detail, isUnanswered }: Extract<ChargeOutcome, { outcome: 'declined' }>,
): Promise<boolean> {
  const { orgId, status } = topup
  const reason = isUnanswered ? 'no_answer' : 'card_declined'
  await sql.endAttempt(tx, orgId)
  if (status === 'active')
    await pauseTopup(app, tx, topup, { reason, detail, mail: pausedMail(app, topup, reason, detail) })
  // The owners were notified when the bank asked for the confirmation.
  else if (status === 'paused') await sql.markPaused(tx, orgId, reason, detail)
  return true
}

/** An unknown outcome is no decline. The next checks come at growing intervals. */
async function waitForAnswer(tx: Tx, { orgId }: sql.AutomaticTopup, { at }: sql.Attempt): Promise<void> {
  const ageMs = tx.now.getTime() - at.getTime()
  const ms = Math.min(Math.max(ageMs, CHECK_AFTER_MS.min), CHECK_AFTER_MS.max)
  await sql.setCheckAt(tx, orgId, after(tx.now, { ms }))
}
