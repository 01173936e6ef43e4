// Mails about cards.
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import type { PaymentFact } from '../../platform/payment-handler.ts'
import { CARDS_MAX, type Card } from './cards.ts'

type CardCheckPayment = Pick<PaymentFact, 'amountMinor' | 'currency' | 'mode' | 'reference'>

export function cardAddedMail(
  app: App,
  paid: CardCheckPayment,
  card: Pick<Card, 'brand' | 'last4'>,
): MailContent {
  return plainMail(
    `Your card ending in ${card.last4} was added`,
    [
      `Your ${card.brand} card ending in ${card.last4} can now pay for your plan.`,
      checkAmountNote(paid),
      'If this was not you, remove the card and change your password.',
      `Reference: ${paid.reference}`,
    ],
    billingPageLink(app),
  )
}

export function cardNotStoredMail(
  app: App,
  paid: CardCheckPayment,
  why: 'not_reusable' | 'too_many' | 'not_shown',
): MailContent {
  return plainMail(
    'Your card was not added',
    [REASONS[why], checkAmountNote(paid), `Reference: ${paid.reference}`],
    billingPageLink(app),
  )
}

type CardExpiry = Pick<Card, 'brand' | 'last4' | 'expMonth' | 'expYear'>

export function cardExpiresMail(app: App, orgName: string, card: CardExpiry): MailContent {
  const { brand, last4, expMonth, expYear } = card
  const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
  return plainMail(
    `The card ending in ${last4} expires soon`,
    [
      `The ${brand} card ending in ${last4}, which pays for the plan of ${withoutAutoLinks(orgName)}, expires at the end of ${month}.`,
      'Add a new card before then, so that your plan continues without a break.',
    ],
    billingPageLink(app),
  )
}

const REASONS = {
  not_reusable:
    'The bank of this card does not allow repeated charges, so it cannot pay for renewals. Add another card.',
  too_many: `Your organisation already has ${CARDS_MAX} cards. Remove one, then add this one again.`,
  not_shown:
    'The payment provider did not send us the card details, so the card cannot pay for renewals. Add it again.',
}

const checkAmountNote = ({ amountMinor, currency, mode }: CardCheckPayment): string =>
  `We checked it with a payment of ${format(money(amountMinor, currency))}${mode === 'mock' ? ' (test money)' : ''}, which is now in your wallet.`

export const billingPageLink = ({ config }: App) => ({
  label: 'Open your billing page',
  url: `${config.baseUrl}/app/billing`,
})
