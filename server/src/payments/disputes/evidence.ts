// The evidence about a disputed payment from our records: customer, payment, receipt, sign-ins and use after the payment.
import { type SignInEntry, signInsOf } from '../../audit/audit.ts'
import { findInvoice, receiptUrl } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { readBalances, type UsageOfSource, usageSince } from '../../wallet/wallet.ts'
import { payerOf, paymentByReference } from '../sql/payments.ts'
import type { Dispute } from './sql.ts'

const SIGN_INS_MAX = 50
const SIGN_INS_IN_TEXT = 10

export async function collectEvidence(app: App, tx: Tx, dispute: Dispute) {
  const { reference, orgId, orgName } = dispute
  const payment = await paymentByReference(tx, reference)
  assert(payment?.settledAt, 'a disputed payment is settled')
  const { settledAt, channel, rail, transactionId, currency, capturedMinor, email, createdAt } = payment
  const payer = await payerOf(tx, payment)
  const invoice = await findInvoice(tx, orgId, reference)
  const { balanceMinor, heldMinor } = await readBalances(tx, orgId)
  const evidence = {
    customer: { orgId, orgName, userId: payment.userId, name: payer?.name ?? null, email },
    payment: { reference, channel, rail, transactionId, currency, capturedMinor, createdAt, settledAt },
    invoice: invoice ? { number: invoice.number, receiptUrl: receiptUrl(app, invoice.id) } : null,
    signIns: await signInsOf(
      tx,
      { orgId, userId: payment.userId, from: settledAt, until: tx.now },
      SIGN_INS_MAX,
    ),
    usage: await usageSince(tx, orgId, settledAt, tx.now),
    balanceMinor,
    heldMinor,
  }
  return { ...evidence, serviceDetails: describe(evidence) }
}

export type Evidence = Awaited<ReturnType<typeof collectEvidence>>

const at = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The text for the bank, without data of other people. */
function describe({
  customer,
  payment,
  invoice,
  signIns,
  usage,
}: {
  customer: { orgName: string; email: string; name: string | null }
  payment: { reference: string; capturedMinor: bigint; currency: Dispute['currency']; settledAt: Date }
  invoice: { number: string } | null
  signIns: readonly SignInEntry[]
  usage: readonly UsageOfSource[]
}): string {
  const amount = (minor: bigint) => format(money(minor, payment.currency))
  const total = usage.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return [
    'Cowrie is a prepaid service for software development. A payment is added to the wallet of the customer, who spends it on work.',
    `Customer: ${customer.name ?? customer.email} (${customer.email}), account ${customer.orgName}.`,
    `Payment ${payment.reference} of ${amount(payment.capturedMinor)} was credited on ${at(payment.settledAt)}.`,
    ...(invoice ? [`Receipt ${invoice.number} was sent to the customer.`] : []),
    usage.length === 0
      ? 'The wallet was not used after the payment.'
      : `After the payment ${amount(total)} was used from the wallet:`,
    ...usage.map(
      ({ source, charges, amountMinor, firstAt, lastAt }) =>
        `- ${source}: ${charges} charges, ${amount(amountMinor)}, from ${at(firstAt)} to ${at(lastAt)}`,
    ),
    signIns.length === 0
      ? 'No sign-in after the payment was recorded.'
      : 'Sign-ins of the customer after the payment:',
    ...signIns
      .slice(0, SIGN_INS_IN_TEXT)
      .map(({ at: signedInAt, ip }) => `- ${at(signedInAt)}${ip === null ? '' : ` from ${ip}`}`),
  ].join('\n')
}
