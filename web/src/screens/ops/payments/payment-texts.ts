// Texts about payments in the console.
import type { AdminPayment } from '@cowrie/sdk'
import { msg } from '../../../i18n/t.ts'

export const PAYMENT_TEXTS: Readonly<Record<AdminPayment['status'], readonly [words: string, chip: string]>> =
  {
    review: [msg('Under review'), 'chip warn'],
    pending: [msg('Waiting for the payer'), 'chip'],
    settled: [msg('Settled'), 'chip ok'],
    failed: [msg('Failed'), 'chip bad'],
    expired: [msg('Expired'), 'chip bad'],
  }

/** The amount that can still be refunded. */
export function refundableMinor(payment: AdminPayment): bigint {
  const { capturedMinor, refundedMinor, returnedMinor, disputedMinor, refundingMinor } = payment
  const left = capturedMinor - refundedMinor - returnedMinor - disputedMinor - refundingMinor
  return left > 0n ? left : 0n
}
