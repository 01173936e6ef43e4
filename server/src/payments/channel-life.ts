// How long a payer has, and when we first ask, by what the channel does.
import type { Duration } from '../kernel/clock.ts'
import type { ChannelName } from './channels.ts'

/** Channels that ring at somebody's phone: they are asked once for each payment, whatever happens. */
export const PUSH_CHANNELS: readonly ChannelName[] = ['mpesa', 'mtn_momo', 'telecel_cash', 'airteltigo']

export const isPush = (channel: ChannelName): boolean => PUSH_CHANNELS.includes(channel)

/** How long the payer has before we call it expired. What is paid later still counts. */
export function lifeOf(channel: ChannelName): Duration {
  if (isPush(channel)) return { minutes: 15 }
  return channel === 'fawry' ? { hours: 72 } : { hours: 24 }
}

export const firstCheckAfter = (channel: ChannelName): Duration =>
  isPush(channel) ? { seconds: 15 } : { seconds: 60 }
