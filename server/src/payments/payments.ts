// Payments' face: what the rest of the server may know of the rails.

export { paymentChecks } from './admin/invariants.ts'
export {
  type CardPaymentStarted,
  type CardPaymentWanted,
  cardCurrencies,
  cardRange,
  checkCardFlood,
  hasLiveCards,
  startCardPayment,
} from './initiate/card-payment.ts'
export {
  askAbout,
  type CardChargeWanted,
  type ChargeOutcome,
  canCharge,
  chargeStoredCard,
  forgetStoredCard,
  giveUpPayment,
  type StoredCard,
} from './initiate/stored-cards.ts'
export { accountsOf, providers, railProblems } from './rails/accounts.ts'
export { checkPayment } from './settle/reconcile.ts'
export { type BillPayment, pendingPaymentOf, undecidedPaymentsOf } from './sql/card-payments-sql.ts'
export { inReview } from './sql/figures-sql.ts'
