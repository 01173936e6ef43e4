// Payments by hand at the paybill are stored with this provider reference, because they have no prompt.
import type { Payment } from '../sql/payments.ts'

const PREFIX = 'paybill:'

export const paybillName = (receipt: string): string => `${PREFIX}${receipt}`

/** Created from a receipt, after it was paid. The rail cannot query its status. */
export const isPaybillPayment = ({ rail, providerRef }: Pick<Payment, 'rail' | 'providerRef'>): boolean =>
  rail === 'daraja' && providerRef !== null && providerRef.startsWith(PREFIX)
