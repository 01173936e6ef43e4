// Passkey challenges: random, valid for five minutes, once, and only for their requester.
import { hash, randomBytes } from 'node:crypto'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import * as sql from './sql.ts'
import { parseChallenge } from './webauthn.ts'

const LIFETIME = { minutes: 5 }
const BYTES = 32

export async function createPasskeyChallenge(
  app: App,
  requester: sql.PasskeyRequester,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(BYTES))
  const now = app.clock.now()
  const text = Buffer.from(challenge).toString('base64url')
  await sql.insertChallenge(
    app.db.direct,
    { ...requester, hash: hashOf(text), expiresAt: after(now, LIFETIME) },
    now,
  )
  return challenge
}

/** Consumes the challenge of a response; null when it is unknown, expired or for another requester. */
export async function consumePasskeyChallenge(
  app: App,
  requester: sql.PasskeyRequester,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON)
  if (!challenge) return null
  const isConsumed = await sql.consumeChallenge(app.db.direct, hashOf(challenge), requester, app.clock.now())
  return isConsumed ? challenge : null
}

const hashOf = (challenge: string): Buffer => hash('sha256', challenge, 'buffer')
