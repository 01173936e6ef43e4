// Records a payment by hand: creates its payment and settles it like any other, or opens a case for staff.
import { assert } from '../../kernel/assert.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { settleReceived } from '../settle/settle.ts'
import type { Settlement, SettlementTrigger } from '../settle/settlement.ts'
import { alertPaybill, openCase } from '../settle/staff-alerts.ts'
import { markProcessed } from '../sql/payment-events.ts'
import { claimProviderRef } from '../sql/payment-status.ts'
import { insertPayment } from '../sql/payments.ts'
import type { PaybillAccount } from './accounts.ts'
import { caseKeyOf } from './claim-receipt.ts'
import { matchOrg } from './match.ts'
import { paybillName } from './payment-name.ts'
import * as sql from './sql.ts'

/** Ends the checks of a locked receipt: a payment, or a case. */
export async function recordReceipt(
  app: App,
  tx: Tx,
  account: PaybillAccount,
  receipt: sql.Receipt,
): Promise<void> {
  await tx.lock(`payment daraja live ${receipt.receipt}`)
  const used = await sql.paymentOfTransaction(tx, receipt.receipt)
  if (used) return sql.decideReceipt(tx, receipt.receipt, 'prompt', used)
  const match = await matchOrg(tx, receipt, account.paybill.shortcode)
  if ('reason' in match) return unassign(app, tx, receipt, match.reason)
  const recorded = await createPayment(app, tx, account, receipt, match.orgId, 'webhook')
  if (!recorded) return unassign(app, tx, receipt, 'The organisation has no verified owner.')
  if (recorded.status === 'review')
    await openCase(tx, {
      ...caseOf(receipt, 'Its payment is under review.'),
      payment: { orgId: match.orgId, reference: recorded.reference },
    })
}

export type RecordedPayment = Settlement & { readonly reference: string }

/** Creates and settles the payment of a locked receipt. Null when no member of the organisation can receive its mail. */
export async function createPayment(
  app: App,
  tx: Tx,
  account: PaybillAccount,
  { receipt, amountMinor, verifiedAt, finding, eventId }: sql.Receipt,
  orgId: OrgId,
  trigger: SettlementTrigger,
): Promise<RecordedPayment | null> {
  const [contact] = await listOrgContacts(tx, [orgId], 1)
  if (!contact || amountMinor === null) return null
  const { userId, email } = contact
  const reference = `tp${newId('x', tx.now.getTime()).slice(2)}`
  const payment = await insertPayment(tx, {
    ...{ reference, orgId, userId, email, amountMinor, purpose: 'topup', billId: null, cardId: null },
    ...{ channel: 'mpesa', rail: 'daraja', account: account.account, mode: 'live', currency: 'KES' },
    ...{ expiresAt: tx.now, nextCheckAt: null, phoneSealed: null },
  })
  const name = paybillName(receipt)
  assert(await claimProviderRef(tx, payment, name), `${receipt} has one payment`)
  const paid = { transactionId: receipt, amountMinor, currency: 'KES', reference: null } as const
  const settlement = await settleReceived(
    app,
    tx,
    { ...payment, providerRef: name },
    { ...paid, status: 'paid', live: account.keys === 'live' },
    { trigger, unverified: verifiedAt === null ? unverifiedReason(receipt, finding) : null },
  )
  await sql.decideReceipt(tx, receipt, 'recorded', payment)
  await markProcessed(tx, eventId, settlement.status, payment)
  return { ...settlement, reference }
}

const unverifiedReason = (receipt: string, finding: string | null): string =>
  `M-Pesa reported receipt ${receipt} at the paybill, and its status query did not confirm it${finding === null ? '' : ` (${finding})`}. Find the receipt in the M-Pesa organisation portal before you credit it.`

/** Nothing is credited until staff assign it to an organisation. */
export async function unassign(app: App, tx: Tx, receipt: sql.Receipt, reason: string): Promise<void> {
  await sql.decideReceipt(tx, receipt.receipt, 'unassigned', null)
  await markProcessed(tx, receipt.eventId, 'unassigned', undefined)
  const opened = caseOf(receipt, `${reason} Nothing was credited.`)
  if (await openCase(tx, { ...opened, payment: null })) await alertPaybill(app, tx, opened.summary)
  tx.afterCommit(() => {
    app.metrics.payment('daraja', 'unassigned')
    app.log.warn({ receipt: receipt.receipt, reason }, 'payments.paybill.unassigned')
  })
}

function caseOf({ receipt, accountText, amountMinor, shortcode, verifiedAt }: sql.Receipt, reason: string) {
  const amount = amountMinor === null ? 'an unknown amount' : format(money(amountMinor, 'KES'))
  return {
    key: caseKeyOf(receipt),
    kind: 'paybill' as const,
    summary: `M-Pesa receipt ${receipt}: ${amount} at paybill ${shortcode} for account "${accountText}". ${reason}`,
    ...(amountMinor !== null && { amountMinor }),
    evidence: { receipt, account: accountText, shortcode, amountMinor, verified: verifiedAt !== null },
  }
}
