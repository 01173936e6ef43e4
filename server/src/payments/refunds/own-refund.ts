// Recognises a refund of ours among the returns of a payment. Its frozen money is released in the same transaction that debits
// the return, so that one refund moves money once, in any order of reports.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type HoldId, releaseIn } from '../../wallet/wallet.ts'
import type { ProviderReturn } from '../rails/rail.ts'
import { resolveByKey } from '../sql/payment-cases.ts'
import type { Payment } from '../sql/payments.ts'
import { endSourceRefund, openRefundOf, refundsOf, type SourceRefund, type SourceRefundId } from './sql.ts'

export const refundCaseKey = (id: SourceRefundId): string => `refund ${id}`

/** The undecided refund that a returned amount belongs to. */
export async function findOwnRefund(
  tx: Tx,
  { reference }: Payment,
  { key, amountMinor, ourId }: ProviderReturn,
): Promise<SourceRefund | null> {
  const open = await openRefundOf(tx, reference)
  if (!open) return null
  if (key === `refund:${open.providerId}` || ourId === open.id) return open
  // A list without our note: an amount that fits is the better guess. Money moves once either way, by the key of the return.
  const isPossible =
    key.startsWith('refund:') && !ourId && open.providerId === null && open.state !== 'requested'
  return isPossible && amountMinor === open.amountMinor ? open : null
}

/** Whether staff recorded this refund of ours before the provider named its id. */
export async function isRecordedByStaff(
  tx: Tx,
  reference: string,
  { ourId }: ProviderReturn,
): Promise<boolean> {
  if (!ourId) return false
  return (await refundsOf(tx, reference)).some(
    ({ id, returnKey }) => id === ourId && returnKey === `refund:${ourId}`,
  )
}

/** Ends a refund and releases its frozen money. False: it was decided before. */
export async function releaseRefund(
  app: App,
  tx: Tx,
  { id, orgId, holdId }: SourceRefund,
  end: { state: 'done' | 'failed'; detail: string | null; providerId?: string | null },
): Promise<boolean> {
  if (!(await endSourceRefund(tx, id, end))) return false
  await releaseIn(app, tx, { orgId, holdId: holdId as HoldId })
  const outcome = end.state === 'done' ? 'The provider refunded it.' : 'The provider did not refund it.'
  await resolveByKey(tx, refundCaseKey(id), end.detail ?? outcome)
  return true
}

/** The whole payment was reversed, so that nothing is left to refund. */
export async function endOwnRefund(app: App, tx: Tx, { reference }: Payment): Promise<void> {
  const open = await openRefundOf(tx, reference)
  const detail = 'The provider returned the whole payment.'
  if (open) await releaseRefund(app, tx, open, { state: 'done', detail })
}
