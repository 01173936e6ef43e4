// Opens cases for staff and alerts them by email, in the transaction of the cause, so that each happens once.

import { staffEmails } from '../../identity/identity.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailContent, plainMail } from '../../platform/mail/mail.ts'
import { insertCase, type NewCase } from '../sql/payment-cases.ts'
import type { Payment } from '../sql/payments.ts'

const SUMMARY_CHARACTERS_MAX = 500
/** The longest-serving staff receive the alert. */
const PAYMENT_STAFF = ['billing', 'operator', 'super_admin'] as const
const RECIPIENTS_MAX = 50

type CaseInput = Pick<NewCase, 'key' | 'kind' | 'summary' | 'evidence'> & {
  readonly payment: Pick<Payment, 'orgId' | 'reference'> | null
  readonly amountMinor?: bigint
}

/** Opens one case per key. True when it is new. */
export function openCase(
  tx: Tx,
  { key, kind, summary, payment, amountMinor, evidence }: CaseInput,
): Promise<boolean> {
  return insertCase(tx, {
    ...(evidence && { evidence }),
    key,
    kind,
    orgId: payment?.orgId ?? null,
    reference: payment?.reference ?? null,
    amountMinor: amountMinor ?? null,
    summary: summary.slice(0, SUMMARY_CHARACTERS_MAX),
  })
}

/** Alerts staff about a webhook event that names no known payment. */
export function alertUnreadableEvent(app: App, tx: Tx, summary: string): Promise<void> {
  const link = `See GET /admin/payment-cases at ${app.config.baseUrl}.`
  return mailStaff(app, tx, plainMail('A webhook of a payment provider needs attention', [summary, link]))
}

/** Alerts staff about a payment at the paybill that was not credited. */
export function alertPaybill(app: App, tx: Tx, summary: string): Promise<void> {
  const link = `See GET /admin/payment-cases?status=open at ${app.config.baseUrl}.`
  return mailStaff(app, tx, plainMail('A payment at the M-Pesa paybill needs a decision', [summary, link]))
}

/** Alerts staff once per reconciliation. */
export function alertDifferences(
  app: App,
  tx: Tx,
  { rail, account, day }: { rail: string; account: string; day: string },
  opened: number,
): Promise<void> {
  const content = plainMail('The reconciliation of payments found differences', [
    `${opened} new cases for ${rail} (${account}) on ${day}.`,
    `See GET /admin/payment-cases?status=open at ${app.config.baseUrl}.`,
  ])
  return mailStaff(app, tx, content)
}

export function alertStaff(
  app: App,
  tx: Tx,
  { reference, rail, channel, amountMinor, currency, orgId }: Payment,
  subject: string,
  paragraphs: readonly string[],
): Promise<void> {
  const content = plainMail(subject, [
    ...paragraphs,
    `Payment ${reference} of ${format(money(amountMinor, currency))} by ${channel} (${rail}), organisation ${orgId}.`,
    `See GET /admin/payments/${reference} at ${app.config.baseUrl}.`,
  ])
  return mailStaff(app, tx, content)
}

async function mailStaff(app: App, tx: Tx, content: MailContent): Promise<void> {
  for (const to of await staffEmails(tx, PAYMENT_STAFF, RECIPIENTS_MAX))
    await app.mail.send(tx, { to, ...content })
}
