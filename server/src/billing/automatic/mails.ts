// Mails to owners and admins about automatic top-ups.
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type MailContent, plainMail } from '../../platform/mail/mail.ts'
import type { AutomaticTopup, PausedReason } from '../topup-rule/topup-rule-sql.ts'

type PausedTopup = Pick<AutomaticTopup, 'amountMinor' | 'currency'>

const REASONS: Readonly<Record<Exclude<PausedReason, 'bank_confirmation'>, string>> = {
  card_declined: 'The bank declined the card.',
  card_unusable: 'The card is expired or can no longer be charged.',
  payment_disputed: 'A card payment of your organisation is disputed or was reversed.',
  currency_changed: 'The currency of your wallet has changed.',
  no_answer: 'The card provider gave no answer.',
  member_left: 'The owner who turned it on, or the person who added the card, has left.',
}

/** `detail`: the words of the bank. */
export function pausedMail(
  app: App,
  { amountMinor, currency }: PausedTopup,
  reason: keyof typeof REASONS,
  detail: string | null,
): MailContent {
  return plainMail(
    'Automatic top-up is paused',
    [
      `Your balance is low, and ${format(money(amountMinor, currency))} was not added. ${REASONS[reason]}${detail === null ? '' : ` ${detail}`}`,
      'We do not try again by ourselves. Choose another card or resume automatic top-up, or top up in another way.',
    ],
    alertsPage(app),
  )
}

/** The bank asks for a confirmation. */
export function confirmationMail(
  { amountMinor, currency }: PausedTopup,
  authorizationUrl: string,
): MailContent {
  return plainMail(
    'Your bank asks you to confirm an automatic top-up',
    [
      `Your balance is low. We tried to charge ${format(money(amountMinor, currency))}, and your bank asks for your confirmation. Nothing is charged until you confirm.`,
      'Automatic top-up is paused until then.',
    ],
    { label: 'Confirm at your bank', url: authorizationUrl },
  )
}

export function limitMail(
  app: App,
  { monthlyMaxMinor, currency }: Pick<AutomaticTopup, 'monthlyMaxMinor' | 'currency'>,
  until: Date,
): MailContent {
  return plainMail(
    'Automatic top-up has reached its monthly maximum',
    [
      `Your balance is low. Another automatic top-up would exceed ${format(money(monthlyMaxMinor, currency))}, your maximum for this month.`,
      `It continues on ${until.toISOString().slice(0, 10)} (UTC). Until then, top up yourself or raise the maximum.`,
    ],
    alertsPage(app),
  )
}

const alertsPage = ({ config }: App) => ({
  label: 'Open automatic top-up',
  url: `${config.baseUrl}/app/wallet/alerts`,
})
