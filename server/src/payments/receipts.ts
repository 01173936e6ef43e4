// The receipt of a top-up: what was paid, how, and what is in the wallet now.
import { format, money } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { type Content, plain } from '../platform/mail/mail.ts'
import { channelByName } from './channels.ts'
import type { Payment } from './settle-sql.ts'

export function receiptMail(app: App, payment: Payment, balanceMinor: bigint, at: Date): Content {
  const { reference, channel, amountMinor, currency, mode } = payment
  const amount = format(money(amountMinor, currency))
  return plain(
    `Receipt: ${amount} added to your wallet`,
    [
      `We received ${amount} by ${channelByName(channel).label}${mode === 'mock' ? ' (test money)' : ''}. It is in your wallet now.`,
      `Your new balance is ${format(money(balanceMinor, currency))}.`,
      `Reference: ${reference}`,
      `Time: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    ],
    { label: 'Open your wallet', url: `${app.config.baseUrl}/app/wallet?reference=${reference}` },
  )
}
