// Billing's face: what the rest of the server may know of plans and subscriptions.
export { billingChecks } from './invariants.ts'
