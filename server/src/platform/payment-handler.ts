// Payment handlers: what happens when a payment for a certain purpose settles, fails or is returned. The payments module handles
// top-ups itself; other modules register a handler, which runs in the transaction of the settlement.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from './db/tx.ts'

/** A card as the provider reports it after a payment. */
export type CardDetails = {
  readonly authorizationCode: string
  /** Identifies the physical card, the same for all its authorizations. */
  readonly signature: string
  /** False when the card cannot be charged without its owner. */
  readonly isReusable: boolean
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly bank: string | null
  readonly country: string | null
}

export type PaymentFact = {
  readonly reference: string
  readonly orgId: OrgId
  readonly userId: string
  readonly channel: string
  readonly rail: string
  /** The provider account that collected it. */
  readonly account: string | null
  readonly mode: 'live' | 'mock'
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly email: string
  readonly billId: string | null
  readonly cardId: string | null
}

/** `App` is a parameter because `App` itself refers to this type. */
export type PaymentHandler<App> = {
  /** The source of the credit in the customer's ledger. */
  readonly source: 'topup' | 'subscription'
  /** Locks the rows that the other methods change. Runs before the wallet is locked. */
  lock(tx: Tx, payment: PaymentFact): Promise<void>
  /**
   * The payment is credited to the wallet. Debits the purchase and issues the invoice. Returns the amount that stays in the
   * wallet, and the invoice.
   */
  onSettled(
    app: App,
    tx: Tx,
    payment: PaymentFact,
    card: CardDetails | null,
  ): Promise<{ keptMinor: bigint; invoiceId: string }>
  /**
   * The provider reversed a settled payment, and `shortMinor` of it could not be debited from the wallet. The debited part
   * stays paid. The bill handler also runs for top-ups, because a top-up may have paid a bill from the wallet.
   */
  onReversed(app: App, tx: Tx, payment: PaymentFact, shortMinor: bigint): Promise<void>
  /**
   * Staff refund part of a settled payment to the wallet. The purchase continues at the reduced value. Runs before the wallet
   * is locked.
   */
  onRefunded(app: App, tx: Tx, payment: PaymentFact, amountMinor: bigint): Promise<void>
  /** The payment failed or expired. A later success still calls `onSettled`. */
  onFailed(app: App, tx: Tx, payment: PaymentFact, reason: string): Promise<void>
}
