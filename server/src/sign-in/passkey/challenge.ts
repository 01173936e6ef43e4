// What a passkey is asked to sign: random, for five minutes, once, and only by who asked for it.
import { hash, randomBytes } from 'node:crypto'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import * as sql from './sql.ts'
import { parseChallenge } from './webauthn.ts'

const LIFETIME = { minutes: 5 }
const BYTES = 32

export async function createPasskeyChallenge(
  app: App,
  asker: sql.PasskeyRequester,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(BYTES))
  const now = app.clock.now()
  const text = Buffer.from(challenge).toString('base64url')
  await sql.insertChallenge(
    app.db.direct,
    { ...asker, hash: hashOf(text), expiresAt: after(now, LIFETIME) },
    now,
  )
  return challenge
}

/** The challenge that a response answers, now used up; null when we did not ask this of them, or not lately. */
export async function consumePasskeyChallenge(
  app: App,
  asker: sql.PasskeyRequester,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON)
  if (!challenge) return null
  const isConsumed = await sql.consumeChallenge(app.db.direct, hashOf(challenge), asker, app.clock.now())
  return isConsumed ? challenge : null
}

const hashOf = (challenge: string): Buffer => hash('sha256', challenge, 'buffer')
