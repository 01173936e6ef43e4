// Fawry's signatures: SHA-256 over values in a fixed order, followed by the secure key. Amounts have two decimals,
// whatever their format in the JSON.
import { hash } from 'node:crypto'
import { majorText, minorFromMajor } from '../amounts.ts'

export type Merchant = { readonly code: string; readonly secureKey: string }

export const chargeSignature = (
  { code, secureKey }: Merchant,
  charge: { merchantRefNum: string; customerProfileId: string; paymentMethod: string; amount: string },
): string =>
  digest(
    code,
    charge.merchantRefNum,
    charge.customerProfileId,
    charge.paymentMethod,
    charge.amount,
    secureKey,
  )

export const statusSignature = ({ code, secureKey }: Merchant, reference: string): string =>
  digest(code, reference, secureKey)

/** Fawry signs the reason only where it is sent. */
export const refundSignature = (
  { code, secureKey }: Merchant,
  refund: { referenceNumber: string; refundAmount: string; reason: string },
): string => digest(code, refund.referenceNumber, refund.refundAmount, refund.reason, secureKey)

export type SignedNotice = {
  readonly fawryRefNumber: string
  readonly merchantRefNumber: string
  readonly paymentAmount: number | string
  readonly orderAmount: number | string
  readonly orderStatus: string
  readonly paymentMethod: string
  /** Fawry's spelling. */
  readonly paymentRefrenceNumber: string
}

/** Null when an amount is invalid. */
export function noticeSignature(secureKey: string, notice: SignedNotice): string | null {
  const paymentAmount = twoDecimals(notice.paymentAmount)
  const orderAmount = twoDecimals(notice.orderAmount)
  if (paymentAmount === null || orderAmount === null) return null
  return digest(
    notice.fawryRefNumber,
    notice.merchantRefNumber,
    paymentAmount,
    orderAmount,
    notice.orderStatus,
    notice.paymentMethod,
    notice.paymentRefrenceNumber,
    secureKey,
  )
}

function twoDecimals(amount: number | string): string | null {
  const minor = minorFromMajor(amount, 'EGP')
  return minor === null ? null : majorText(minor, 'EGP', 2)
}

const digest = (...values: string[]): string => hash('sha256', values.join(''))
