// Signing in with a password.

import { lockUser, NotSignedIn, rehashPassword, signIn, userByEmail } from '../../identity/identity.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { createChallenge } from '../second-factor/challenge.ts'
import { toLoginReply } from '../second-factor/login-reply.ts'
import { beginGuess, countGuess, countWrong, forgetGuesses } from './attempt-limits.ts'
import { recordFailureInBackground } from './failures.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'

/**
 * An address without an account, an account without a password and a wrong password take the same steps and end in the
 * same refusal.
 */
export async function login(app: App, request: RequestInfo, given: { email: string; password: string }) {
  const email = normaliseEmail(given.email)
  const user = await userByEmail(app.db.direct, email)
  const guessing = await beginGuess(app, email, user, request)
  const stored = user?.passwordHash ?? null
  const isRight = await verifyPassword(app, stored, given.password, () => countGuess(app, guessing))
  if (!isRight || !user || stored === null) {
    await countWrong(app, guessing)
    if (user)
      recordFailureInBackground(app, user, request, { method: 'password', reason: 'wrong_credentials' })
    throw new ApiError('wrong_credentials')
  }
  await forgetGuesses(app, guessing)

  const fresh = isOutdated(app, stored) ? await hashPassword(app, given.password) : null
  const account = await signIn(app, request, async (tx) => {
    const current = await lockUser(tx, user.id)
    // Changed between the look and the lock: what was right is not any more.
    if (current?.passwordHash !== stored) throw new ApiError('wrong_credentials')
    if (!current.verified) throw new ApiError('verification_required', { verificationRequired: true })
    if (fresh) await rehashPassword(tx, current.id, stored, fresh)
    if (current.mfaEnabled) return new NotSignedIn(await createChallenge(tx, current, 'password'))
    return { user: current, method: 'password' as const }
  })
  return toLoginReply(account)
}
