// The answer to a first factor that was right.
import { type Account, Instead } from '../identity/identity.ts'

export type SecondFactorWanted = { mfaRequired: true; challenge: string; expiresAt: Date }

export const entered = (account: Account | Instead<SecondFactorWanted>) =>
  account instanceof Instead ? account.outcome : { ok: true as const, ...account }
