// What the service says about top-ups.
import type { TopupResult } from '@cowrie/sdk'

export type Status = 'pending' | 'settled' | 'failed' | 'expired' | 'review'
export type Mode = 'live' | 'mock'

export type Channel = {
  channel: TopupResult['channel']
  label: string
  mode: Mode
  needsPhone: boolean
  minMinor: bigint
  maxMinor: bigint
  stepMinor: bigint
}

export type Begun = TopupResult

/** How a top-up stands. */
export type Standing = {
  reference: string
  status: Status
  channel: string
  mode: Mode
  amountMinor: bigint
  reason: string | null
}
export type Topup = Standing & { createdAt: string; expiresAt: string; settledAt: string | null }

/** Of a channel that is not offered any more only its name is known. */
export const channelLabel = (channels: readonly Channel[], name: string): string =>
  channels.find(({ channel }) => channel === name)?.label ?? name.replaceAll('_', ' ')
