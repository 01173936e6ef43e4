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
  merchant_note: string | null
  createdAt: Date
}
type Dispute = {
  id: number
  status: string
  resolution: string | null
  refund_amount: number
  currency: string
  transaction: { id: number; reference: string; amount: number; currency: string }
  dueAt: string | null
  createdAt: Date
}
/** An answer of the merchant to a dispute, with the calls that led to it. */
export type FakeDisputeAnswer = {
  id: number
  resolution: string
  refund_amount: number
  message: string
  evidence: Record<string, string> | null
  file: string | undefined
}
/** `refused`: answered with an error, without a refund. Others are the status of the new refund. */
type RefundBehaviour = 'processed' | 'pending' | 'processing' | 'needs-attention' | 'refused'
type Message = { headers: Record<string, string>; body: string }

export type FakeReturns = {
  /** Refunds a part from the dashboard, in hundredths, and returns the webhook. */
  refund(reference: string, hundredths: number, status?: string): Message
  /** How new refunds by API are answered. Default: `pending`. */
  answerRefunds(behaviour: RefundBehaviour): void
  /** The refunds of a payment that were requested by API, oldest first. */
  requested(reference: string): readonly Readonly<Refund>[]
  /** Decides the last refund of a payment, and returns the webhook. A whole refund reverses the transaction. */
  finish(reference: string, status: 'processed' | 'failed'): Message
  /** The refund of a payment is lost: Paystack never had it. */
  forget(reference: string): void
  /** The payer disputes a part with their bank. Returns the webhook. */
  dispute(reference: string, hundredths: number, dueAt?: Date): Message
  /** The answers of the merchant, oldest first. */
  readonly answers: readonly FakeDisputeAnswer[]
  /** The bank decides the last dispute of a payment. Paystack refunds a lost one. Returns the webhook. */
  decide(reference: string, outcome: 'won' | 'lost'): Message
}

export function createFakeReturns(
  find: (reference: string) => Transaction,
  signed: (body: string) => Message,
  now: () => Date,
  byId: (id: string) => Transaction | undefined,
  url: () => string,
) {
  let refundCount = 0
  let refunds: Refund[] = []
  let disputes: Dispute[] = []
  let behaviour: RefundBehaviour = 'pending'
  const answers: FakeDisputeAnswer[] = []
  const evidence = new Map<number, Record<string, string>>()
  const files = new Map<string, string>()
  const eventOf = (event: string, data: object) => signed(JSON.stringify({ event, data }))
  const addRefund = (
    transaction: Transaction,
    amount: number,
    status: string,
    dispute: number | null,
    merchant_note: string | null = null,
  ): Refund => {
    const { id: transactionId, currency } = transaction
    const id = 900 + refundCount++
    const refund = { id, transaction: transactionId, dispute, amount, currency, status, merchant_note }
    refunds.push({ ...refund, createdAt: now() })
    return { ...refund, createdAt: now() }
  }
  const ofPayment = (reference: string) => {
    const { id } = find(reference)
    return refunds.filter(({ transaction }) => transaction === id)
  }
  const settle = (transaction: Transaction) => {
    const processed = refunds.filter(
      (each) => each.transaction === transaction.id && each.status === 'processed',
    )
    if (processed.reduce((sum, { amount }) => sum + amount, 0) >= transaction.amount)
      transaction.status = 'reversed'
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
    answerRefunds: (next) => {
      behaviour = next
    },
    requested: (reference) => ofPayment(reference).filter(({ merchant_note }) => merchant_note !== null),
    finish(reference, status) {
      const refund = ofPayment(reference).at(-1)
      if (!refund) throw new Error(`${reference} has no refund`)
      refund.status = status
      settle(find(reference))
      const { amount, currency } = refund
      const data = { status, transaction_reference: reference, amount: String(amount), currency }
      return eventOf(`refund.${status}`, data)
    },
    forget(reference) {
      const { id } = find(reference)
      refunds = refunds.filter(({ transaction }) => transaction !== id)
    },
    answers,
    dispute(reference, refund_amount, dueAt) {
      const { id, amount, currency } = find(reference)
      const transaction = { id, reference, amount, currency }
      const dispute = { id: 700 + disputes.length, status: 'awaiting-merchant-feedback', resolution: null }
      const due = dueAt?.toISOString() ?? null
      disputes.push({ ...dispute, refund_amount, currency, transaction, dueAt: due, createdAt: now() })
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
    const [, single] = /^\/refund\/(\d+)$/.exec(path) ?? []
    if (single !== undefined) {
      const found = refunds.find(({ id: number }) => String(number) === single)
      return found ? ok('Refund retrieved', found) : refusal(404, 'Refund not found')
    }
    const [, uploading] = /^\/dispute\/(\d+)\/upload_url$/.exec(path) ?? []
    if (uploading !== undefined) {
      const fileName = `${uploading}-${query.get('upload_filename')}`
      return ok('Upload url generated', { signedUrl: `${url()}/files/${fileName}`, fileName })
    }
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
  /** Requests that change something. Null for other paths. */
  const change = (path: string, body: Record<string, unknown>): FakeReply | null => {
    if (path === '/refund') return createRefund(body)
    const [, number, action] = /^\/dispute\/(\d+)\/(evidence|resolve)$/.exec(path) ?? []
    const dispute = disputes.find(({ id }) => String(id) === number)
    if (number === undefined) return null
    if (!dispute) return refusal(404, 'Dispute not found')
    if (action === 'evidence') {
      evidence.set(dispute.id, body as Record<string, string>)
      return ok('Evidence created', { id: 21, ...body })
    }
    return resolveDispute(dispute, body)
  }
  function createRefund(body: Record<string, unknown>): FakeReply {
    const { transaction: id, amount, currency, merchant_note } = body
    const transaction = byId(String(id))
    if (!transaction || currency !== transaction.currency) return refusal(404, 'Transaction not found')
    if (behaviour === 'refused') return refusal(400, 'Your balance is not enough to fulfil this request')
    const left = ofPayment(transaction.reference)
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, each) => sum - each.amount, transaction.amount)
    if (!Number.isSafeInteger(amount) || Number(amount) > left)
      return refusal(400, 'Refund amount cannot be more than the transaction amount')
    const refund = addRefund(transaction, Number(amount), behaviour, null, String(merchant_note))
    settle(transaction)
    return ok('Refund has been queued for processing', { ...refund, transaction: { id: transaction.id } })
  }
  function resolveDispute(dispute: Dispute, body: Record<string, unknown>): FakeReply {
    if (dispute.status === 'resolved') return refusal(400, 'Dispute is already resolved')
    const { resolution, refund_amount, message, uploaded_filename } = body
    const file = files.get(String(uploaded_filename))
    if (file === undefined) return refusal(400, 'uploaded_filename is required')
    if (typeof message !== 'string' || message === '') return refusal(400, 'message is required')
    answers.push({
      ...{ id: dispute.id, resolution: String(resolution), refund_amount: Number(refund_amount), message },
      evidence: evidence.get(dispute.id) ?? null,
      file,
    })
    // The bank decides about a contested one.
    dispute.status = resolution === 'declined' ? 'awaiting-bank-feedback' : 'resolved'
    if (resolution !== 'declined') {
      dispute.resolution = String(resolution)
      addRefund(find(dispute.transaction.reference), dispute.refund_amount, 'processed', dispute.id)
    }
    return ok('Dispute successfully resolved', dispute)
  }
  const storeFile = (path: string, text: string): void => {
    files.set(path.replace('/files/', ''), text)
  }
  const remove = (id: number): void => {
    refunds = refunds.filter(({ transaction }) => transaction !== id)
    disputes = disputes.filter(({ transaction }) => transaction.id !== id)
  }
  return { controls, answer, change, storeFile, remove, refunds: () => refunds, disputes: () => disputes }
}
