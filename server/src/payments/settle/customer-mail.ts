// Emails to customers about their payments: receipts, refunds, reversals, returns and disputes.
import { type CreditNoteId, creditNoteUrl, type InvoiceId, receiptUrl } from '../../invoices/invoices.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailContent, plainMail } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import type { Payment } from '../sql/payments.ts'

type Invoice = { readonly id: InvoiceId; readonly number: string }
type CreditNote = { readonly id: CreditNoteId; readonly number: string }

const RECIPIENTS_MAX = 20

/** Mails the payer; owners and admins for an automatic top-up, because the holder of the card may have left. */
export async function mailPayer(app: App, tx: Tx, payment: Payment, content: MailContent): Promise<void> {
  const { orgId, email, cardId, purpose } = payment
  const isAutomatic = cardId !== null && purpose === 'topup'
  const contacts = isAutomatic ? await listOrgContacts(tx, [orgId], RECIPIENTS_MAX) : [{ email }]
  for (const { email: to } of contacts) await app.mail.send(tx, { to, ...content })
}

export type Receipt = {
  readonly payment: Payment
  /** Shown to the customer: `Visa ending in 4081`, or the channel. */
  readonly method: string
  readonly invoice: Invoice
  readonly balanceMinor: bigint
  readonly at: Date
}

export function receiptMail(app: App, { payment, method, invoice, balanceMinor, at }: Receipt): MailContent {
  const { reference, amountMinor, currency, mode, cardId } = payment
  const amount = format(money(amountMinor, currency))
  const test = mode === 'mock' ? ' (test money)' : ''
  const isAutomatic = cardId !== null
  const page = isAutomatic ? '/app/wallet/alerts' : `/app/wallet?reference=${reference}`
  return plainMail(
    isAutomatic
      ? `Receipt: ${amount} added to your wallet automatically`
      : `Receipt: ${amount} added to your wallet`,
    [
      isAutomatic
        ? `Your balance was low, so we charged ${amount}${test} to your card (${method}). It is in your wallet now.`
        : `We received ${amount} by ${method}${test}. It is in your wallet now.`,
      `Your new balance is ${format(money(balanceMinor, currency))}.`,
      `Reference: ${reference}`,
      `Time: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Receipt ${invoice.number}: ${receiptUrl(app, invoice.id)}`,
    ],
    {
      label: isAutomatic ? 'Change automatic top-up' : 'Open your wallet',
      url: `${app.config.baseUrl}${page}`,
    },
  )
}

/** Staff refunded a payment, or part of it, to the wallet. */
export function refundMail(
  app: App,
  payment: Payment,
  amountMinor: bigint,
  note: CreditNote | null,
  balanceMinor: bigint,
): MailContent {
  const { reference, currency } = payment
  const amount = format(money(amountMinor, currency))
  return plainMail(
    `${amount} is back in your wallet`,
    [
      `We refunded ${amount} of your payment ${reference} to your wallet.`,
      `Your new balance is ${format(money(balanceMinor, currency))}.`,
      ...noteLine(app, note),
    ],
    walletButton(app),
  )
}

/** The provider returned the whole payment, and we debited the wallet. */
export function reversalMail(
  app: App,
  payment: Payment,
  takenMinor: bigint,
  note: CreditNote | null,
  balanceMinor: bigint,
): MailContent {
  const { reference, capturedMinor, currency } = payment
  const amount = format(money(capturedMinor, currency))
  return plainMail(
    `Your payment of ${amount} was reversed`,
    [
      `The payment provider reversed your payment ${reference} of ${amount}. We debited ${format(money(takenMinor, currency))} from your wallet.`,
      `Your new balance is ${format(money(balanceMinor, currency))}.`,
      ...noteLine(app, note),
    ],
    walletButton(app),
  )
}

/** The provider returned part of a payment, and we debited the wallet. */
export function returnMail(
  app: App,
  { reference, currency }: Payment,
  {
    amountMinor,
    takenMinor,
    note,
    balanceMinor,
  }: { amountMinor: bigint; takenMinor: bigint; note: CreditNote | null; balanceMinor: bigint },
): MailContent {
  const amount = (minor: bigint) => format(money(minor, currency))
  return plainMail(
    `${amount(amountMinor)} of your payment went back to you`,
    [
      `The payment provider returned ${amount(amountMinor)} of your payment ${reference} to you. We debited ${amount(takenMinor)} from your wallet.`,
      `Your new balance is ${amount(balanceMinor)}.`,
      ...noteLine(app, note),
    ],
    walletButton(app),
  )
}

/** Staff refunded a payment, or part of it, to the card or phone that paid. */
export function sourceRefundMail(
  app: App,
  { reference, currency }: Payment,
  {
    amountMinor,
    takenMinor,
    note,
    balanceMinor,
  }: { amountMinor: bigint; takenMinor: bigint; note: CreditNote | null; balanceMinor: bigint },
): MailContent {
  const amount = (minor: bigint) => format(money(minor, currency))
  return plainMail(
    `${amount(amountMinor)} of your payment went back to you`,
    [
      `We refunded ${amount(amountMinor)} of your payment ${reference} to the card, account or phone that paid. We debited ${amount(takenMinor)} from your wallet.`,
      `Your new balance is ${amount(balanceMinor)}.`,
      ...noteLine(app, note),
    ],
    walletButton(app),
  )
}

/** The payer disputes a payment. The disputed money is frozen until the bank decides. */
export function disputeMail(
  app: App,
  { reference, currency }: Payment,
  amountMinor: bigint,
  frozenMinor: bigint,
): MailContent {
  const amount = (minor: bigint) => format(money(minor, currency))
  return plainMail(
    `${amount(amountMinor)} of your payment is disputed`,
    [
      `Your bank received a dispute about ${amount(amountMinor)} of your payment ${reference}.`,
      `${amount(frozenMinor)} in your wallet is frozen until the bank decides. If you did not open this dispute, ask your bank to withdraw it.`,
    ],
    walletButton(app),
  )
}

export function disputeWonMail(app: App, { reference, currency }: Payment, amountMinor: bigint): MailContent {
  return plainMail(
    'A dispute about your payment is over',
    [
      `The bank confirmed your payment ${reference}. You can use the money again that was frozen for the dispute of ${format(money(amountMinor, currency))}.`,
    ],
    walletButton(app),
  )
}

const noteLine = (app: App, note: CreditNote | null): string[] =>
  note === null ? [] : [`Credit note ${note.number}: ${creditNoteUrl(app, note.id)}`]

const walletButton = (app: App) => ({ label: 'Open your wallet', url: `${app.config.baseUrl}/app/wallet` })
