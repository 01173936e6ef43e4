// Public API of the payments module.

export { paymentChecks } from './admin/invariants.ts'
export { type ChannelStatus, channelStatuses } from './channel-status.ts'
export type { ChannelName } from './channels.ts'
export {
  type CardPaymentInput,
  type CardPaymentPage,
  cardCurrencies,
  cardRange,
  hasLiveCards,
  startCardPayment,
} from './initiate/card-payment.ts'
export { checkCardLimit } from './initiate/limits.ts'
export {
  abandonPayment,
  type CardChargeInput,
  type ChargeOutcome,
  canCharge,
  chargeStoredCard,
  deleteStoredCard,
  endUnsentCharge,
  readChargeOutcome,
  reconcileCharge,
  type StoredCard,
} from './initiate/stored-cards.ts'
export { validateTopup } from './initiate/validate-topup.ts'
export { accountsOf, providers, railProblems } from './rails/accounts.ts'
export { reconcilePayment } from './settle/reconcile.ts'
export { countInReview } from './sql/admin-payments.ts'
export {
  type AutomaticTopups,
  automaticTopupsSince,
  BANK_PAGE_LIFETIME,
  billsChargedTo,
  type CardCharge,
  cardChargesOf,
  countUnansweredCharges,
  hasContestedCardPayment,
  settledPaymentOf,
} from './sql/card-charges.ts'
export { oldestOpenPaymentOf, openPaymentsOf, type Payment } from './sql/payments.ts'
export { channelsIn } from './topups.ts'
