// Verification handlers: what happens when a person proves that an email address is theirs and starts in a personal
// organisation. They run in the transaction of the verification. Accounts that staff or single sign-on create do not
// call them.
import type { UserId } from '../kernel/ids.ts'
import type { Tx } from './db/tx.ts'

export type VerifiedPerson = {
  readonly userId: UserId
  readonly email: string
  /** The network address of the request that verified it. */
  readonly address: string
}

/** `App` is a parameter because `App` itself refers to this type. */
export type VerificationHandler<App> = (app: App, tx: Tx, person: VerifiedPerson) => Promise<void>
