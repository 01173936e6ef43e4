// Mails about payments for a plan.
import { type InvoiceId, receiptUrl } from '../../invoices/invoices.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type MailContent, plainMail } from '../../platform/mail/mail.ts'
import type { PaymentFact } from '../../platform/payment-handler.ts'
import { soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { BillPayment } from './bill-payment.ts'
import type { Bill } from './bills.ts'

export function receiptMail(
  app: App,
  paid: BillPayment,
  bill: Bill,
  subscription: Subscription,
  invoiceId: InvoiceId,
): MailContent {
  const { name } = soldPlan(subscription)
  const how = paid.reference === null ? 'was paid from your wallet' : 'was paid'
  return plainMail(
    `Receipt: ${amountOf(paid)} for ${name}`,
    [
      `${amountOf(paid)}${testMoneyNote(paid)} ${how}. ${RESULT_TEXT[bill.kind](name, subscription)}`,
      `It is paid until ${day(subscription.periodEnd)}.`,
      `Reference: ${paid.reference ?? bill.id}`,
    ],
    receiptOf(app, invoiceId),
  )
}

export function keptInWalletMail(app: App, payment: PaymentFact, invoiceId: InvoiceId): MailContent {
  return plainMail(
    `${amountOf(payment)} was added to your wallet`,
    [
      `We received ${amountOf(payment)}${testMoneyNote(payment)} for a bill that was already paid or abandoned.`,
      'You are not charged twice: the money is in your wallet and pays for your usage.',
      `Reference: ${payment.reference}`,
    ],
    receiptOf(app, invoiceId),
  )
}

const RESULT_TEXT: Readonly<Record<Bill['kind'], (plan: string, subscription: Subscription) => string>> = {
  checkout: (plan) => `Your ${plan} plan has started.`,
  change: (plan) => `You are now on the ${plan} plan.`,
  seats: (plan, { seats }) => `Your ${plan} plan now has ${seats} seats.`,
  renewal: (plan) => `Your ${plan} plan was renewed.`,
}

type Amount = Pick<BillPayment, 'amountMinor' | 'currency' | 'mode'>

const amountOf = ({ amountMinor, currency }: Amount): string => format(money(amountMinor, currency))
const testMoneyNote = ({ mode }: Amount): string => (mode === 'mock' ? ' (test money)' : '')
const day = (at: Date): string => `${at.toISOString().slice(0, 10)} (UTC)`

const receiptOf = (app: App, invoiceId: InvoiceId) => ({
  label: 'Open the receipt',
  url: receiptUrl(app, invoiceId),
})
