// Sign-in with a password.

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
 * Unknown addresses, accounts without a password and wrong passwords take the same steps and get the same
 * error.
 */
export async function login(
  app: App,
  request: RequestInfo,
  credentials: { email: string; password: string },
) {
  const email = normaliseEmail(credentials.email)
  const user = await userByEmail(app.db.direct, email)
  const counter = await beginGuess(app, email, user, request)
  const stored = user?.passwordHash ?? null
  const isRight = await verifyPassword(app, stored, credentials.password, () => countGuess(app, counter))
  if (!isRight || !user || stored === null) {
    await countWrong(app, counter)
    if (user)
      recordFailureInBackground(app, user, request, { method: 'password', reason: 'wrong_credentials' })
    throw new ApiError('wrong_credentials')
  }
  await forgetGuesses(app, counter)

  const fresh = isOutdated(app, stored) ? await hashPassword(app, credentials.password) : null
  const account = await signIn(app, request, async (tx) => {
    const current = await lockUser(tx, user.id)
    // The password was changed after the comparison.
    if (current?.passwordHash !== stored) throw new ApiError('wrong_credentials')
    if (!current.verified) throw new ApiError('verification_required', { verificationRequired: true })
    if (fresh) await rehashPassword(tx, current.id, stored, fresh)
    if (current.mfaEnabled) return new NotSignedIn(await createChallenge(tx, current, 'password'))
    return { user: current, method: 'password' as const }
  })
  return toLoginReply(account)
}
