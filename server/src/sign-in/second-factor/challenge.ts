// Second-factor challenges. A challenge is created after a correct first factor and is not a credential: it
// works once, for five minutes and five wrong codes.
import { hash, randomBytes } from 'node:crypto'
import { type AccountRef, lockUser, NotSignedIn, signIn, type User } from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { recordFailure } from '../password/failures.ts'
import { sendSecurityMail } from '../security-change.ts'
import type { FirstFactor, MfaChallenge } from './challenge-sql.ts'
import * as sql from './challenge-sql.ts'
import { checkSecondFactor } from './check-code.ts'
import type { SecondFactorRequired } from './login-reply.ts'

const WRONG_CODES_MAX = 5
const LIFETIME = { minutes: 5 }
const FIRST_FACTORS: Record<FirstFactor, string> = {
  password: 'your password',
  magic_link: 'a sign-in link of yours',
  github: 'access to your GitHub account',
}

/** Creates a challenge. The user gets the token; the database stores only its hash. */
export async function createChallenge(tx: Tx, user: User, first: FirstFactor): Promise<SecondFactorRequired> {
  const challenge = randomBytes(32).toString('base64url')
  const expiresAt = after(tx.now, LIFETIME)
  await sql.sweepChallenges(tx)
  await sql.insertChallenge(tx, { tokenHash: hashOf(challenge), userId: user.id, first, expiresAt })
  return { mfaRequired: true, challenge, expiresAt }
}

/** Opens a session when the code is correct. */
export async function answerChallenge(
  app: App,
  request: RequestInfo,
  { challenge: token, code }: { challenge: string; code: string },
): Promise<AccountRef> {
  const tokenHash = hashOf(token)
  const account = await signIn<ApiError>(app, request, async (tx) => {
    const candidate = await sql.findChallenge(tx, tokenHash, WRONG_CODES_MAX)
    const user = candidate && (await lockUser(tx, candidate.userId))
    // Read it again under the lock of the account: a concurrent call may have answered it.
    const challenge = user && (await sql.findChallenge(tx, tokenHash, WRONG_CODES_MAX))
    if (!challenge) return new NotSignedIn(new ApiError('challenge_ended'))

    const factor = await checkSecondFactor(app, tx, user.id, code)
    if (factor instanceof ApiError) {
      if (factor.code === 'wrong_code') {
        await countWrongCode(app, tx, challenge, user)
        await recordFailure(app, tx, user, request, { method: challenge.first, reason: factor.code })
      }
      return new NotSignedIn(factor)
    }
    await sql.deleteChallenge(tx, tokenHash)
    if (factor === 'recovery_code') await notifyRecoveryCodeUse(app, tx, user)
    return { user, method: challenge.first, secondFactor: factor }
  })
  if (account instanceof NotSignedIn) throw account.outcome
  return account
}

/** Deletes open challenges, for example after a password change. */
export const dropChallenges = (tx: Tx, userId: UserId): Promise<void> => sql.deleteChallengesOf(tx, userId)

async function countWrongCode(app: App, tx: Tx, challenge: MfaChallenge, user: User): Promise<void> {
  const { wrongCodes } = challenge
  assert(wrongCodes < WRONG_CODES_MAX, 'an exhausted challenge is never loaded')
  await sql.countWrongCode(tx, challenge.tokenHash)
  if (wrongCodes + 1 < WRONG_CODES_MAX) return
  // The sender has the first factor. The limit per account bounds the number of these mails.
  await sendSecurityMail(
    app,
    tx,
    user.email,
    'Wrong codes at a sign-in to your Cowrie account',
    `A person who has ${FIRST_FACTORS[challenge.first]} entered five wrong codes. They did not get in.`,
  )
}

export const notifyRecoveryCodeUse = (app: App, tx: Tx, user: User): Promise<void> =>
  sendSecurityMail(
    app,
    tx,
    user.email,
    'A recovery code of your Cowrie account was used',
    'A recovery code was used to confirm who you are. The code cannot be used again. If you have lost your authenticator app, set up two-step sign-in again.',
  )

const hashOf = (challenge: string): Buffer => hash('sha256', challenge, 'buffer')
