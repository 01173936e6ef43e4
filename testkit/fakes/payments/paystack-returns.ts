// The refunds and disputes of the fake Paystack.
import type { FakeReply } from './loopback-server.ts'
import { ok, refusal, type Transaction } from './paystack-cards.ts'

type Refund = {
  id: number
  transaction: number
  dispute: number | null
  amount: number
  currency: string
  status: string
  createdAt: Date
}
type Dispute = {
  id: number
  status: string
  resolution: string | null
  refund_amount: number
  currency: string
  transaction: { id: number; reference: string; amount: number; currency: string }
  createdAt: Date
}
type Message = { headers: Record<string, string>; body: string }

export type FakeReturns = {
  /** Refunds a part from the dashboard, in hundredths, and returns the webhook. */
  refund(reference: string, hundredths: number, status?: string): Message
  /** The payer disputes a part with their bank. Returns the webhook. */
  dispute(reference: string, hundredths: number): Message
  /** The bank decides the last dispute of a payment. Paystack refunds a lost one. Returns the webhook. */
  decide(reference: string, outcome: 'won' | 'lost'): Message
}

export function createFakeReturns(
  find: (reference: string) => Transaction,
  signed: (body: string) => Message,
  now: () => Date,
) {
  let refunds: Refund[] = []
  let disputes: Dispute[] = []
  const eventOf = (event: string, data: object) => signed(JSON.stringify({ event, data }))
  const addRefund = (transaction: Transaction, amount: number, status: string, dispute: number | null) => {
    const { id, currency } = transaction
    const createdAt = now()
    refunds.push({
      ...{ id: 900 + refunds.length, transaction: id, dispute, amount, currency, status, createdAt },
    })
  }
  const controls: FakeReturns = {
    refund(reference, hundredths, status = 'processed') {
      const transaction = find(reference)
      addRefund(transaction, hundredths, status, null)
      const { currency, domain } = transaction
      // Refund events have a string amount and no id.
      const data = { status, transaction_reference: reference, amount: String(hundredths), currency, domain }
      return eventOf(`refund.${status}`, data)
    },
    dispute(reference, refund_amount) {
      const { id, amount, currency } = find(reference)
      const transaction = { id, reference, amount, currency }
      const dispute = { id: 700 + disputes.length, status: 'awaiting-merchant-feedback', resolution: null }
      disputes.push({ ...dispute, refund_amount, currency, transaction, createdAt: now() })
      return eventOf('charge.dispute.create', { ...dispute, refund_amount, currency, transaction })
    },
    decide(reference, outcome) {
      const dispute = disputes.findLast((each) => each.transaction.reference === reference)
      if (!dispute) throw new Error(`${reference} has no dispute`)
      dispute.status = 'resolved'
      dispute.resolution = outcome === 'won' ? 'declined' : 'merchant-accepted'
      if (outcome === 'lost') addRefund(find(reference), dispute.refund_amount, 'processed', dispute.id)
      return eventOf('charge.dispute.resolve', dispute)
    },
  }
  const answer = (path: string, query: URLSearchParams): FakeReply | null => {
    const id = query.get('transaction')
    if (path === '/refund' && id !== null) {
      return ok(
        'Refunds retrieved',
        refunds.filter((each) => String(each.transaction) === id),
      )
    }
    const [, disputed] = /^\/dispute\/transaction\/(\w+)$/.exec(path) ?? []
    if (disputed === undefined) return null
    const found = disputes.filter((each) => String(each.transaction.id) === disputed)
    return found.length > 0 ? ok('Dispute retrieved', found) : refusal(404, 'Dispute not found')
  }
  const remove = (id: number): void => {
    refunds = refunds.filter(({ transaction }) => transaction !== id)
    disputes = disputes.filter(({ transaction }) => transaction.id !== id)
  }
  return { controls, answer, remove, refunds: () => refunds, disputes: () => disputes }
}
