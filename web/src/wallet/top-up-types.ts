// What the service says about top-ups.

export type Status = 'pending' | 'settled' | 'failed' | 'expired' | 'review'
export type Mode = 'live' | 'mock'

export type Channel = {
  channel: string
  label: string
  mode: Mode
  needsPhone: boolean
  minMinor: bigint
  maxMinor: bigint
  stepMinor: bigint
}

export type Begun = {
  reference: string
  mode: Mode
  status: Status
  authorizationUrl?: string
  ussdCode?: string
  displayText?: string
  otpRequired?: true
  expiresAt: string
}

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
