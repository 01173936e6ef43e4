// What the staff must look at: told by mail in the transaction of the fact, so that it is told once.
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { plain } from '../../platform/mail/mail.ts'
import { paymentStaffEmails } from '../sql/orgs.ts'
import type { Payment } from '../sql/payments.ts'

// More than this many would read the same mail; those who joined first hear of it.
const RECIPIENTS_MAX = 50

/** A message that names no payment of ours. */
export async function alertUnreadableEvent(app: App, tx: Tx, what: string): Promise<void> {
  const content = plain('A message of a payment provider needs a person', [
    what,
    `See GET /admin/payment-cases at ${app.config.baseUrl}.`,
  ])
  for (const to of await paymentStaffEmails(tx, RECIPIENTS_MAX)) await app.mail.send(tx, { to, ...content })
}

export async function alertStaff(
  app: App,
  tx: Tx,
  { reference, rail, channel, amountMinor, currency, orgId }: Payment,
  subject: string,
  paragraphs: readonly string[],
): Promise<void> {
  const content = plain(subject, [
    ...paragraphs,
    `Payment ${reference} of ${format(money(amountMinor, currency))} by ${channel} (${rail}), organisation ${orgId}.`,
    `See GET /admin/payments/${reference} at ${app.config.baseUrl}.`,
  ])
  for (const to of await paymentStaffEmails(tx, RECIPIENTS_MAX)) await app.mail.send(tx, { to, ...content })
}
