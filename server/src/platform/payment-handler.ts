// What a payment is for decides what happens when it is settled. Payments know only top-ups; a module that sells something
// else says here what it does, and does it in the transaction of the settlement.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { App } from './app.ts'
import type { Tx } from './db/tx.ts'

/** A card as a provider shows it to us after a payment: what charges it again, and what a person knows it by. */
export type CardDetails = {
  readonly authorizationCode: string
  /** The provider's name for the physical card, the same under every authorization of it. */
  readonly signature: string
  /** False for cards that cannot be charged without their owner. */
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
  /** Which of the provider's accounts took it. */
  readonly account: string | null
  readonly mode: 'live' | 'mock'
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly email: string
  readonly billId: string | null
  readonly cardId: string | null
}

export type PaymentHandler = {
  /** What it is called in the customer's ledger. */
  readonly source: 'topup' | 'subscription'
  /** Locks what the others here will change. Called before anything of the wallet is touched. */
  lock(tx: Tx, payment: PaymentFact): Promise<void>
  /**
   * The payment has come and is in the wallet. Takes from there what it paid for, and writes the invoice. Says how much
   * of it stays the customer's, and the invoice.
   */
  onSettled(
    app: App,
    tx: Tx,
    payment: PaymentFact,
    card: CardDetails | null,
  ): Promise<{ keptMinor: bigint; invoiceId: string }>
  /**
   * The provider took a settled payment back, and `shortMinor` of it could not be taken from the wallet. What the wallet
   * covered stays paid. Bills hear of top-ups too: those may have paid one from the wallet.
   */
  onReversed(app: App, tx: Tx, payment: PaymentFact, shortMinor: bigint): Promise<void>
  /**
   * Staff credit the wallet with so much of a settled payment. What it paid for goes on, and is worth so much less. Called
   * before the wallet is touched.
   */
  onRefunded(app: App, tx: Tx, payment: PaymentFact, amountMinor: bigint): Promise<void>
  /** Nothing was paid. A later success still comes to `settled`. */
  onFailed(app: App, tx: Tx, payment: PaymentFact, reason: string): Promise<void>
}
