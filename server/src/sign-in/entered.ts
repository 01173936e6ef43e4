// The answer to a first factor that was right.
import { type AccountRef, NotSignedIn } from '../identity/identity.ts'

export type SecondFactorWanted = { mfaRequired: true; challenge: string; expiresAt: Date }

export const entered = (account: AccountRef | NotSignedIn<SecondFactorWanted>) =>
  account instanceof NotSignedIn ? account.outcome : { ok: true as const, ...account }
