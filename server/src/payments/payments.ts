// Payments' face: what the rest of the server may know of the rails.
export { paymentChecks } from './invariants.ts'
export { railProblems } from './rails.ts'
