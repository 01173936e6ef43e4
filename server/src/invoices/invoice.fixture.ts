// Invoices for tests, without a payment.
import type { TestServer } from '../../test/harness.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import { issueCreditNote } from './credit-note.ts'
import type { NewInvoice } from './document.ts'
import { issueInvoice } from './issue.ts'

export const newInvoice = (orgId: OrgId, more: Partial<NewInvoice> = {}): NewInvoice => {
  const reference = `tp${newId('x').slice(2)}`
  return {
    orgId,
    subject: 'topup',
    cause: reference,
    currency: 'NGN',
    lines: [{ description: 'Wallet top-up', quantity: 1, amountMinor: 107_500n }],
    mode: 'live',
    status: 'paid',
    reference,
    method: 'Card',
    ...more,
  }
}

export const issueFor = (server: TestServer, orgId: OrgId, more: Partial<NewInvoice> = {}) =>
  server.app.db.tx(orgId, (tx) => issueInvoice(server.app, tx, newInvoice(orgId, more)))

export const creditFor = (
  server: TestServer,
  orgId: OrgId,
  reference: string,
  amountMinor: bigint,
  { cause = newId('x') as string, reason = 'Paid twice' } = {},
) =>
  server.app.db.tx(orgId, (tx) =>
    issueCreditNote(tx, {
      orgId,
      reference,
      amountMinor,
      reason,
      cause,
    }),
  )
