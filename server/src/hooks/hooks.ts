// The face of outbound webhooks: facts are told in their own transaction, and endpoints go with their organisation.
export { emit } from './emit.ts'
export { deleteOrgEndpoints } from './endpoints/endpoints-sql.ts'
export type { HookFact, HookType } from './event-types.ts'
