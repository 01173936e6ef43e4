// Types of top-ups, from the SDK.
import type { Topup, TopupResult, WalletChannelsReply } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'

export type { Topup }
export type Status = Topup['status']
export type StartedTopup = TopupResult
export type Channel = WalletChannelsReply['channels'][number]

/** The status of a payment. Times are unknown if it was looked up alone. */
export type PaymentStatus = Pick<
  Topup,
  'reference' | 'status' | 'channel' | 'mode' | 'amountMinor' | 'reason'
> &
  Partial<Pick<Topup, 'createdAt' | 'expiresAt'>>

/** The payer's action: dial a code, answer a prompt, or visit a page or counter. */
export type Kind = 'ussd' | 'push' | 'page'

const PUSH: ReadonlySet<string> = new Set(['mpesa', 'mtn_momo', 'telecel_cash', 'airteltigo'])

export const kindOf = (channel: string): Kind =>
  channel === 'ussd' ? 'ussd' : PUSH.has(channel) ? 'push' : 'page'

/** Of a withdrawn method only the name is known. */
export const channelLabel = (channels: readonly Channel[], name: string): string =>
  Object.hasOwn(TRANSLATED_NAMES, name)
    ? t(TRANSLATED_NAMES[name] ?? '')
    : (channels.find(({ channel }) => channel === name)?.label ??
      CHANNEL_NAMES[name] ??
      name.replaceAll('_', ' '))

/** Names with translations. */
const TRANSLATED_NAMES: Readonly<Record<string, string>> = { card: msg('Card'), ussd: msg('Bank USSD') }

/** Names that are the same in every language. */
export const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  mpesa: 'M-Pesa',
  mtn_momo: 'MTN Mobile Money',
  telecel_cash: 'Telecel Cash',
  airteltigo: 'AT Money',
}
