// Between the two steps of a sign-in: somebody has shown the first factor and is asked for the second. A challenge is
// no credential. It opens nothing but this question, once, for five minutes and five wrong answers.
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

/** Asks for the second factor of an account that has one. The token goes to the person; only a hash of it is kept. */
export async function createChallenge(tx: Tx, user: User, first: FirstFactor): Promise<SecondFactorRequired> {
  const challenge = randomBytes(32).toString('base64url')
  const expiresAt = after(tx.now, LIFETIME)
  await sql.sweepChallenges(tx)
  await sql.insertChallenge(tx, { tokenHash: hashOf(challenge), userId: user.id, first, expiresAt })
  return { mfaRequired: true, challenge, expiresAt }
}

/** The second step: opens a session when the code is right. */
export async function answerChallenge(
  app: App,
  request: RequestInfo,
  { challenge: token, code }: { challenge: string; code: string },
): Promise<AccountRef> {
  const tokenHash = hashOf(token)
  const account = await signIn<ApiError>(app, request, async (tx) => {
    const candidate = await sql.findChallenge(tx, tokenHash, WRONG_CODES_MAX)
    const user = candidate && (await lockUser(tx, candidate.userId))
    // Once more, now that nobody else can answer for this account.
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

/** Sign-ins that stand between their steps begin again: the password was changed, say. */
export const dropChallenges = (tx: Tx, userId: UserId): Promise<void> => sql.deleteChallengesOf(tx, userId)

async function countWrongCode(app: App, tx: Tx, challenge: MfaChallenge, user: User): Promise<void> {
  const { wrongCodes } = challenge
  assert(wrongCodes < WRONG_CODES_MAX, 'a challenge that is over is not answered')
  await sql.countWrongCode(tx, challenge.tokenHash)
  if (wrongCodes + 1 < WRONG_CODES_MAX) return
  // Who gets this far has the first factor. The limit per account keeps these mails few.
  await sendSecurityMail(
    app,
    tx,
    user.email,
    'Wrong codes at a sign-in to your Cowrie account',
    `Somebody who has ${challenge.first === 'password' ? 'your password' : 'a sign-in link of yours'} entered five wrong codes. They did not get in.`,
  )
}

const notifyRecoveryCodeUse = (app: App, tx: Tx, user: User): Promise<void> =>
  sendSecurityMail(
    app,
    tx,
    user.email,
    'A recovery code of your Cowrie account was used',
    'Your account was signed in to with one of its recovery codes. It cannot be used again. If you have no way left to make codes, set up two-step sign-in anew.',
  )

const hashOf = (challenge: string): Buffer => hash('sha256', challenge, 'buffer')
