// Payments' face: what the rest of the server may know of the rails.
export { checkPayment } from './ask.ts'
export {
  type CardPaymentStarted,
  type CardPaymentWanted,
  cardCurrencies,
  cardRange,
  checkCardFlood,
  hasLiveCards,
  startCardPayment,
} from './card-payments.ts'
export { type BillPayment, pendingPaymentOf, undecidedPaymentsOf } from './card-payments-sql.ts'
export { inReview } from './figures-sql.ts'
export { paymentChecks } from './invariants.ts'
export { accountsOf, providers, railProblems } from './rails.ts'
export {
  askAbout,
  type CardChargeWanted,
  type ChargeOutcome,
  canCharge,
  chargeStoredCard,
  forgetStoredCard,
  giveUpPayment,
  type StoredCard,
} from './stored-cards.ts'
