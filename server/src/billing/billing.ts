// The public API of billing.
export { type SubscriptionFigures, subscriptionFigures } from './figures.ts'
export { billingChecks } from './invariants.ts'
