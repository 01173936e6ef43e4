// Requests and replies in the format of the real card provider.
import type { FakeReply } from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import type { BankEntry } from './bank-entry.ts'

type Order = Pick<BankEntry, 'reference' | 'email' | 'amountMinor' | 'currency'>

/** The order, or a refusal. All simulated currencies have hundredths, as the provider expects. */
export function readOrder(raw: string): Order | Exclude<FakeReply, 'never'> {
  const { email, amount, currency, reference } = JSON.parse(raw) as Record<string, unknown>
  if (!/^[^@\s]+@[^@\s]+$/.test(String(email))) return refusal(400, 'Invalid Email Address Passed')
  if (!Number.isSafeInteger(Number(amount)) || Number(amount) <= 0) return refusal(400, 'Invalid Amount Sent')
  if (!/^[\w.=-]+$/.test(String(reference))) return refusal(400, 'Invalid characters in reference')
  return {
    reference: String(reference),
    email: String(email),
    amountMinor: BigInt(Number(amount)),
    currency: String(currency),
  }
}

/** A transaction in the provider's format. */
export const describeTransaction = (entry: BankEntry) => ({
  ...{ id: entry.id, domain: 'live', status: entry.status, reference: entry.reference },
  ...{
    amount: Number(entry.amountMinor),
    requested_amount: Number(entry.amountMinor),
    currency: entry.currency,
  },
  message: null,
  gateway_response: entry.status === 'failed' ? 'Insufficient Funds' : 'Approved',
  metadata: '',
  channel: 'card',
  customer: { email: entry.email },
  authorization:
    entry.card && entry.authorization && entry.status === 'success' ? authorizationOf(entry, entry.card) : {},
})

const authorizationOf = ({ authorization }: BankEntry, card: NonNullable<BankEntry['card']>) => ({
  authorization_code: authorization,
  signature: card.signature,
  reusable: card.isReusable,
  last4: card.last4,
  bin: '408408',
  exp_month: String(card.expMonth).padStart(2, '0'),
  exp_year: String(card.expYear),
  channel: 'card',
  card_type: 'visa',
  brand: 'visa',
  bank: 'Simulated Bank',
  country_code: 'NG',
})

export const ok = (message: string, data: object): Exclude<FakeReply, 'never'> => ({
  status: 200,
  body: { status: true, message, data },
})
export const refusal = (status: number, message: string, code?: string): Exclude<FakeReply, 'never'> => ({
  status,
  body: { status: false, message, ...(code && { type: 'validation_error', code }) },
})
