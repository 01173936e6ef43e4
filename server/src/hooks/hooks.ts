// Public API of outbound webhooks. `emit` stores an event in the transaction of the fact.
export { emit } from './emit.ts'
export { deleteOrgEndpoints } from './endpoints/endpoints-sql.ts'
export type { HookFact, HookType } from './event-types.ts'
