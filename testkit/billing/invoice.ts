// Invoices without a payment.

import { issueCreditNote } from '@cowrie/server/src/invoices/credit-note.ts'
import type { NewInvoice } from '@cowrie/server/src/invoices/document.ts'
import { issueInvoice } from '@cowrie/server/src/invoices/issue.ts'
import { newId, type OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { TestServer } from '../harness/harness.ts'

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
