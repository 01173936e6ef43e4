// Limits how many payments an organisation may leave pending, so that a loop floods neither a provider nor a phone.
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { isPush, PUSH_CHANNELS } from '../channels.ts'
import type { Mode } from '../rails/accounts.ts'
import { countPendingByChannel, countPendingCards, type Payment } from '../sql/payments.ts'

// Counted over the last hour: older pages may stay open for a day without blocking new payments.
const PENDING_TOPUPS_MAX = { push: 20, page: 100 }
const PENDING_CARDS_MAX = 20
const WINDOW = { hours: 1 }
const PHONE_PROMPTS: AttemptLimit = { name: 'topup.phone', most: 5, withinSeconds: 600 }

type Limited = Pick<Payment, 'orgId' | 'purpose' | 'channel'> & { readonly phone: string | null }

/** Throws `limit_reached` or `too_many_attempts`. The caller holds the organisation's payment lock. */
export async function checkLimits(app: App, tx: Tx, payment: Limited, mode: Mode): Promise<void> {
  const { orgId, purpose, channel, phone } = payment
  if (purpose !== 'topup') return checkCardLimit(tx, orgId)
  const { within, outside } = await countPendingByChannel(tx, orgId, before(tx.now, WINDOW), PUSH_CHANNELS)
  const [count, most] = isPush(channel)
    ? [within, PENDING_TOPUPS_MAX.push]
    : [outside, PENDING_TOPUPS_MAX.page]
  if (count >= most)
    throw new ApiError('limit_reached', {
      error: `${most} top-ups of the last hour are still pending. Complete one of them, or try again later.`,
      retryAfter: 60,
    })
  // Mock payments prompt no phone.
  if (!isPush(channel) || phone === null || mode === 'mock') return
  const { allowed, retryAfter } = await countAttempt(app, tx, PHONE_PROMPTS, phone)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: 'This phone received too many payment prompts. Wait for the time in Retry-After.',
      retryAfter,
    })
}

/** Throws `limit_reached`. */
export async function checkCardLimit(tx: Tx, org: OrgId): Promise<void> {
  if ((await countPendingCards(tx, org, before(tx.now, WINDOW))) < PENDING_CARDS_MAX) return
  throw new ApiError('limit_reached', {
    error: `${PENDING_CARDS_MAX} card payments of the last hour are still pending. Complete one of them, or try again later.`,
    retryAfter: 60,
  })
}
