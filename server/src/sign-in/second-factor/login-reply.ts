// The reply after a correct first factor: a session or a second-factor challenge.
import { type AccountRef, NotSignedIn } from '../../identity/identity.ts'

export type SecondFactorRequired = { mfaRequired: true; challenge: string; expiresAt: Date }

export const toLoginReply = (account: AccountRef | NotSignedIn<SecondFactorRequired>) =>
  account instanceof NotSignedIn ? account.outcome : { ok: true as const, ...account }
