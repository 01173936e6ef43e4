// Billing's face: what the rest of the server may know of plans and subscriptions.
export { type SubscriptionFigures, subscriptionFigures } from './figures.ts'
export { billingChecks } from './invariants.ts'
