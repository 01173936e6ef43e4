// Is this the second factor of that account? Asked at sign-in, and again before the factor itself is changed.
import { lockUser } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import type { UserId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, mayTry, tryOnce } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import * as sql from './mfa-sql.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { isTotpCode, stepOfCode } from './totp.ts'

export type SecondFactor = 'totp' | 'recovery_code'

/** Wrong codes about one account, over all its sign-ins: six digits are few. */
const WRONG_CODES: AttemptLimit = { name: 'mfa.account', most: 5, withinSeconds: 300 }

/**
 * Uses a code up and says what it was. A refusal comes back as a value, not thrown: the wrong guess is counted in this
 * transaction, which must commit. Guesses about one account wait for each other, so that none slips past the limit.
 */
export async function checkSecondFactor(
  app: App,
  tx: Tx,
  userId: UserId,
  code: string,
): Promise<SecondFactor | ApiError> {
  await lockUser(tx, userId)
  const { allowed, retryAfter } = await mayTry(app, tx, WRONG_CODES, userId)
  if (!allowed) return new ApiError('too_many_attempts', { retryAfter })
  const factor = await useCode(app, tx, userId, code)
  if (factor) return factor
  await tryOnce(app, tx, WRONG_CODES, userId)
  return new ApiError('wrong_code')
}

/** Where the secret of an account is sealed for; it opens for nobody else's row. */
export const secretContext = (userId: UserId): string => `totp secret of ${userId}`

async function useCode(app: App, tx: Tx, userId: UserId, typed: string): Promise<SecondFactor | null> {
  if (isTotpCode(typed)) return (await useTotp(app, tx, userId, typed)) ? 'totp' : null
  const hash = recoveryCodeHash(userId, typed)
  return hash && (await sql.useRecoveryCode(tx, userId, hash)) ? 'recovery_code' : null
}

async function useTotp(app: App, tx: Tx, userId: UserId, code: string): Promise<boolean> {
  const stored = await sql.sealedSecret(tx, userId, { confirmed: true })
  if (!stored) return false
  const step = stepOfCode(app.secrets.open(stored.sealed, secretContext(userId)), code, tx.now)
  return step !== null && sql.useStep(tx, userId, step)
}
