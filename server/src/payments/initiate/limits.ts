// How many top-ups one organisation may leave undecided, so that a loop floods neither a provider nor a stranger's phone.
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { isPush, PUSH_CHANNELS } from '../channel-life.ts'
import type { ChannelName } from '../channels.ts'
import type { Mode } from '../rails/accounts.ts'
import { countPendingByChannel } from '../sql/payments.ts'

/** Of the last hour: who leaves pages open for a day can still pay. */
const PENDING_MAX = { push: 20, page: 100 }
const PHONE_PROMPTS: AttemptLimit = { name: 'topup.phone', most: 5, withinSeconds: 600 }

/** Refuses one top-up too many. The caller holds the lock of its organisation's top-ups. */
export async function checkTopupLimits(
  app: App,
  tx: Tx,
  org: OrgId,
  { channel, phone, mode }: { channel: ChannelName; phone: string | null; mode: Mode },
): Promise<void> {
  const { within, outside } = await countPendingByChannel(
    tx,
    org,
    before(tx.now, { hours: 1 }),
    PUSH_CHANNELS,
  )
  const [count, most] = isPush(channel) ? [within, PENDING_MAX.push] : [outside, PENDING_MAX.page]
  if (count >= most)
    throw new ApiError('limit_reached', {
      error: `${most} top-ups of the last hour still wait for their payment; finish one of them, or start the next later.`,
      retryAfter: 60,
    })
  // Play money rings nowhere.
  if (!isPush(channel) || phone === null || mode === 'mock') return
  const { allowed, retryAfter } = await tryOnce(app, tx, PHONE_PROMPTS, phone)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: 'This phone was asked to pay too often; wait for the time in Retry-After.',
      retryAfter,
    })
}
