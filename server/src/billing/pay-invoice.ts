// Paying an open invoice before the next try comes: with the stored cards at once, or on the provider's page.
import { record } from '../audit/audit.ts'
import { after } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { askAbout, pendingPaymentOf, startCardPayment } from '../payments/payments.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Committed, Once } from '../platform/http/idempotency.ts'
import { type Bill, lockBill } from './bills.ts'
import { type Collected, collect } from './collect.ts'
import { BUSY_FOR } from './dunning.ts'
import { refusalOf } from './from-wallet.ts'
import { beginOwnTry, endOwnTry, invoicedBill, turnOf } from './renewals-sql.ts'
import { lockOrg } from './sql.ts'

export type PaidInvoice =
  | { readonly paid: true; readonly invoiceId: string }
  | { readonly authorizationUrl: string; readonly reference: string }

/** A decline here costs none of the tries that come by themselves. */
export async function payOpenInvoice(
  app: App,
  actor: Actor,
  { invoiceId, hosted, ip }: { invoiceId: string; hosted: boolean; ip: string },
  once: Once,
): Promise<Committed<PaidInvoice>> {
  const { orgId } = actor
  const { bill, attempt } = await app.db.tx(orgId, (tx) => takeBill(tx, actor, invoiceId))
  try {
    const result = hosted ? await openPage(app, actor, bill, once) : await payNow(app, bill, attempt)
    return await once.commit(orgId, async (tx) => {
      await endOwnTry(tx, bill.id)
      const metadata = { billId: bill.id, hosted }
      await record(tx, { orgId, actor, ip, action: 'invoices.pay', target: invoiceId, metadata })
      return result === 'paid' ? { paid: true as const, invoiceId } : result
    })
  } catch (error) {
    await app.db.tx(orgId, (tx) => endOwnTry(tx, bill.id))
    throw error
  }
}

type Taken = { readonly bill: Bill; readonly attempt: number }

/** Nobody else tries the bill meanwhile. */
async function takeBill(tx: Tx, { orgId }: Actor, invoiceId: string): Promise<Taken> {
  await lockOrg(tx, orgId)
  const invoice = await invoicedBill(tx, orgId, invoiceId)
  if (!invoice) throw new ApiError('not_found')
  const bill = invoice.billId === null ? undefined : await lockBill(tx, invoice.billId)
  if (invoice.status !== 'open' || bill?.status !== 'open')
    throw new ApiError('invoice_not_open', { status: invoice.status })
  const { busyUntil } = await turnOf(tx, bill.id)
  if (busyUntil !== null && busyUntil > tx.now) throw new ApiError('change_in_progress')
  return { bill, attempt: await beginOwnTry(tx, bill.id, after(tx.now, BUSY_FOR)) }
}

async function payNow(app: App, bill: Bill, attempt: number): Promise<'paid'> {
  const collected = await collect(app, bill, attempt)
  if (collected.outcome === 'paid') return 'paid'
  throw refusal(bill, collected)
}

function refusal(bill: Bill, collected: Exclude<Collected, { outcome: 'paid' }>): ApiError {
  switch (collected.outcome) {
    case 'no_card':
      return new ApiError('no_payment_method')
    case 'declined':
      return refusalOf(bill, collected.reason)
    case 'challenged': {
      const { authorizationUrl, reference } = collected
      return new ApiError('card_challenged', { authorizationUrl, reference })
    }
    case 'pending':
      return new ApiError('rail_unavailable', { reference: collected.reference })
  }
}

/** A payment that nobody knows the end of is asked about first: a second one beside it might be paid as well. */
async function openPage(app: App, actor: Actor, bill: Bill, once: Once): Promise<PaidInvoice | 'paid'> {
  const { orgId, id: billId, amountMinor, currency } = bill
  const reference = `sb${once.id.slice('idem_'.length)}`
  const earlier = await app.db.tx(orgId, (tx) => pendingPaymentOf(tx, billId))
  if (earlier && earlier.reference !== reference) {
    const asked = await askAbout(app, { orgId, reference: earlier.reference })
    if (asked.outcome === 'paid') return 'paid'
    if (asked.outcome === 'challenged')
      return { authorizationUrl: asked.authorizationUrl, reference: earlier.reference }
    if (asked.outcome === 'pending') throw new ApiError('rail_unavailable', { reference: earlier.reference })
  }
  const { userId, email, org } = actor
  const page = await startCardPayment(app, {
    ...{ reference, purpose: 'bill', billId, orgId, userId, orgName: org.name, email, amountMinor, currency },
    description: 'Cowrie plan renewal',
  })
  return { authorizationUrl: page.authorizationUrl, reference: page.reference }
}
