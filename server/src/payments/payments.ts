// Payments' face: what the rest of the server may know of the rails.

export { paymentChecks } from './admin/invariants.ts'
export {
  type CardPaymentInput,
  type CardPaymentPage,
  cardCurrencies,
  cardRange,
  checkCardLimit,
  hasLiveCards,
  startCardPayment,
} from './initiate/card-payment.ts'
export {
  abandonPayment,
  type CardChargeInput,
  type ChargeOutcome,
  canCharge,
  chargeStoredCard,
  deleteStoredCard,
  reconcileCharge,
  type StoredCard,
} from './initiate/stored-cards.ts'
export { accountsOf, providers, railProblems } from './rails/accounts.ts'
export { reconcilePayment } from './settle/reconcile.ts'
export { type BillPayment, oldestOpenPaymentOf, openPaymentsOf } from './sql/card-payments-sql.ts'
export { countInReview } from './sql/figures-sql.ts'
