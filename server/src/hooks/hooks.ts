// The face of outbound webhooks: facts are told in their own transaction, and endpoints go with their organisation.
export { emit } from './emit.ts'
export type { Fact as HookFact, HookType } from './events.ts'
export { forgetEndpoints } from './sql.ts'
