// A small model of payments on top of the wallet model: the effect of a provider status.
import type { Facts, WalletModel } from './wallet-model.ts'

/** The status that a provider reports. */
export type ProviderAnswer =
  | {
      readonly status: 'paid'
      readonly amount: bigint
      readonly currency: string
      readonly reference: string
      readonly transaction: string
    }
  | { readonly status: 'pending' | 'failed' | 'reversed' | 'unknown' }

export type PaymentOp =
  | { readonly kind: 'begin'; readonly reference: string; readonly amount: bigint; readonly expiresAt: Date }
  | { readonly kind: 'providerStatus'; readonly reference: string; readonly answer: ProviderAnswer }
  | { readonly kind: 'refund'; readonly reference: string; readonly amount: bigint; readonly key: string }
  | {
      readonly kind: 'resolve'
      readonly reference: string
      readonly decision: 'credit' | 'reject'
      readonly key: string
    }

export type PaymentModel = {
  readonly amount: bigint
  /** The amount that the provider reported, if it was in the payment's currency. */
  readonly reportedMinor: bigint | null
  readonly account: string
  readonly status: 'pending' | 'settled' | 'failed' | 'expired' | 'review'
  readonly refunded: bigint
  readonly isReversed: boolean
  readonly isDecided: boolean
  readonly transaction: string | null
  readonly expiresAt: Date
}

const LOOKED_AFTER_MS = 3 * 24 * 3_600_000

export class PaymentsModel {
  readonly payments = new Map<string, PaymentModel>()
  /** Provider transaction → the payment it settled. Shared by all wallets. */
  readonly used: Map<string, string>
  readonly wallet: WalletModel

  constructor(wallet: WalletModel, used: Map<string, string>) {
    this.wallet = wallet
    this.used = used
  }

  apply(op: PaymentOp, at: Date): Facts {
    switch (op.kind) {
      case 'begin':
        return this.#change(op.reference, NEW, { amount: op.amount, expiresAt: op.expiresAt })
      case 'providerStatus':
        return this.#applyStatus(op.reference, op.answer, at)
      case 'refund':
        return this.#refund(op, at)
      case 'resolve':
        return this.#resolve(op, at)
    }
  }

  #applyStatus(reference: string, answer: ProviderAnswer, at: Date): Facts {
    const payment = this.of(reference)
    const { status } = payment
    const isOpen = status === 'pending' || status === 'failed' || status === 'expired'
    if (answer.status === 'paid' && isOpen && !payment.isDecided) {
      const { transaction } = answer
      // A reversed payment is not credited by an outdated answer.
      const agrees =
        !payment.isReversed &&
        answer.amount === payment.amount &&
        answer.currency === 'NGN' &&
        answer.reference === reference &&
        [undefined, reference].includes(this.used.get(transaction))
      if (agrees) return this.#settle(reference, payment, { transaction }, at)
      const said = answer.currency === 'NGN' ? answer.amount : null
      return this.#result(
        this.#change(reference, payment, { status: 'review', transaction, reportedMinor: said }),
        true,
      )
    }
    if (answer.status === 'failed' && status === 'pending')
      return this.#result(this.#change(reference, payment, { status: 'failed' }), true)
    if (answer.status === 'reversed' && status === 'settled' && !payment.isReversed) {
      const other = { account: 'reversals', source: 'topup', ref: reference, cause: `reversal ${reference}` }
      this.wallet.debit(payment.amount, 1n, other, at)
      return this.#result(this.#change(reference, payment, { isReversed: true }), true)
    }
    const isKnown = status === 'settled' || (status === 'failed' && (payment.isReversed || payment.isDecided))
    if (answer.status === 'reversed' && !isKnown)
      return this.#result(this.#change(reference, payment, { status: 'failed', isReversed: true }), true)
    const patienceMs = { pending: 0, unknown: LOOKED_AFTER_MS, paid: null, failed: null, reversed: null }[
      answer.status
    ]
    const isOver = patienceMs !== null && at.getTime() >= payment.expiresAt.getTime() + patienceMs
    if (isOver && status === 'pending')
      return this.#result(this.#change(reference, payment, { status: 'expired' }), true)
    return this.#result({ status }, false)
  }

  #settle(reference: string, payment: PaymentModel, also: Partial<PaymentModel>, at: Date): Facts {
    const { amount, account } = payment
    this.wallet.credit(amount, { account, source: 'topup', ref: reference, cause: `topup ${reference}` }, at)
    const transaction = also.transaction ?? payment.transaction
    if (transaction !== null) this.wallet.put(this.used, transaction, reference)
    const { status } = this.#change(reference, payment, { ...also, status: 'settled', isReversed: false })
    return { status, credited: amount, changed: true, balance: this.wallet.balances().balance ?? null }
  }

  #refund({ reference, amount, key }: PaymentOp & { kind: 'refund' }, at: Date): Facts {
    const payment = this.of(reference)
    if (payment.status !== 'settled' || payment.isReversed)
      return { refused: 'payment_not_settled', remaining: null }
    const remaining = payment.amount - payment.refunded
    if (amount > remaining) return { refused: 'refund_exceeds_captured', remaining }
    this.#change(reference, payment, { refunded: payment.refunded + amount })
    this.wallet.credit(amount, { account: 'refunds', source: 'refund', ref: reference, cause: key }, at)
    return { refunded: amount, balance: this.wallet.balances().balance ?? null }
  }

  #resolve({ reference, decision }: PaymentOp & { kind: 'resolve' }, at: Date): Facts {
    const payment = this.of(reference)
    if (payment.status !== 'review') return { refused: 'payment_not_in_review' }
    if (decision === 'reject')
      return this.#result(this.#change(reference, payment, { status: 'failed', isDecided: true }))
    if (![undefined, reference].includes(this.used.get(payment.transaction ?? '')))
      return { refused: 'transaction_used' }
    // Staff credit the amount that was actually paid.
    const paid = { ...payment, amount: payment.reportedMinor || payment.amount }
    const { status, credited, balance } = this.#settle(reference, paid, { isDecided: true }, at) as Settled
    return { status, credited, balance }
  }

  of(reference: string): PaymentModel {
    const payment = this.payments.get(reference)
    if (!payment) throw new Error(`the model has no payment ${reference}`)
    return payment
  }

  /** The expected database row. */
  row(reference: string): Facts {
    const { status, amount, refunded, isReversed, isDecided, transaction } = this.of(reference)
    const captured = status === 'settled' ? amount : 0n
    return { status, captured, refunded, isReversed, isDecided, transaction }
  }

  #change(reference: string, before: PaymentModel, change: Partial<PaymentModel>): { status: string } {
    const after = { ...before, ...change }
    this.wallet.put(this.payments, reference, after)
    return { status: after.status }
  }

  #result({ status }: { status: string }, changed?: boolean): Facts {
    const balance = this.wallet.balances().balance ?? null
    return { status, credited: 0n, ...(changed !== undefined && { changed }), balance }
  }
}

type Settled = { status: string; credited: bigint; balance: bigint }

const NEW: PaymentModel = {
  amount: 0n,
  reportedMinor: null,
  account: 'clearing:paystack',
  status: 'pending',
  refunded: 0n,
  isReversed: false,
  isDecided: false,
  transaction: null,
  expiresAt: new Date(0),
}
