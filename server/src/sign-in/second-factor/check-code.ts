// Checks the second factor of an account, at sign-in and before changes of the factor itself.
import { lockUser } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import {
  type AttemptLimit,
  checkAttempt,
  countAttempt,
  resetAttempts,
} from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { sealedColumn } from '../../platform/sealed-data.ts'
import * as sql from './mfa-sql.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { isTotpCode, stepOfCode } from './totp.ts'

export type SecondFactor = 'totp' | 'recovery_code'

// Wrong codes per account over all challenges, because six digits are few. The daily limit stops slow
// guessing.
const WRONG_CODES: AttemptLimit = { name: 'mfa.account', most: 10, withinSeconds: 300 }
const WRONG_CODES_DAILY: AttemptLimit = { name: 'mfa.day', most: 50, withinSeconds: 86_400 }

/**
 * Consumes a code and returns its type. Returns an error instead of throwing it: the transaction must commit
 * the counted guess. The lock on the account serialises guesses, so that none exceeds the limit.
 */
export async function checkSecondFactor(
  app: App,
  tx: Tx,
  userId: UserId,
  code: string,
): Promise<SecondFactor | ApiError> {
  await lockUser(tx, userId)
  for (const limit of [WRONG_CODES_DAILY, WRONG_CODES]) {
    const { allowed, retryAfter } = await checkAttempt(app, tx, limit, userId)
    if (!allowed) return new ApiError('too_many_attempts', { retryAfter })
  }
  const factor = await useCode(app, tx, userId, code)
  if (factor) {
    await resetAttempts(app, tx, WRONG_CODES, userId)
    return factor
  }
  for (const limit of [WRONG_CODES_DAILY, WRONG_CODES]) await countAttempt(app, tx, limit, userId)
  return new ApiError('wrong_code')
}

/** Binds a sealed secret to the row of one account. */
export const secretContext = (userId: UserId): string => `totp secret of ${userId}`

export const sealedAuthenticators = sealedColumn({
  name: 'totp_secrets.sealed_secret',
  list: sql.listAuthenticatorTexts,
  replace: sql.replaceAuthenticatorTexts,
  contextOf: (id) => secretContext(id as UserId),
})

async function useCode(app: App, tx: Tx, userId: UserId, typed: string): Promise<SecondFactor | null> {
  if (isTotpCode(typed)) return (await useTotp(app, tx, userId, typed)) ? 'totp' : null
  const hash = recoveryCodeHash(userId, typed)
  return hash && (await sql.useRecoveryCode(tx, userId, hash)) ? 'recovery_code' : null
}

async function useTotp(app: App, tx: Tx, userId: UserId, code: string): Promise<boolean> {
  const stored = await sql.findConfirmedSecret(tx, userId)
  if (!stored) return false
  const step = stepOfCode(app.secrets.open(stored.sealed, secretContext(userId)), code, tx.now)
  return step !== null && sql.useStep(tx, userId, step)
}
