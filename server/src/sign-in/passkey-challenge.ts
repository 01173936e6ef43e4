// What a passkey is asked to sign: random, for five minutes, once, and only by who asked for it.
import { hash, randomBytes } from 'node:crypto'
import { after } from '../kernel/clock.ts'
import type { UserId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import * as sql from './passkeys-sql.ts'
import { challengeIn } from './webauthn.ts'

/** A person who adds a passkey, or the browser of somebody who is still to sign in. */
export type Asker = { userId: UserId; browser: null } | { userId: null; browser: Uint8Array }

const LIFE = { minutes: 5 }
const BYTES = 32

export async function makeChallenge(app: App, asker: Asker): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(BYTES))
  const now = app.clock.now()
  const text = Buffer.from(challenge).toString('base64url')
  await sql.insertChallenge(app.db.direct, { ...asker, hash: hashOf(text), expiresAt: after(now, LIFE) }, now)
  return challenge
}

/** The challenge that a response answers, now used up; null when we did not ask this of them, or not lately. */
export async function takeChallenge(app: App, asker: Asker, clientDataJSON: string): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON)
  if (!challenge) return null
  const isTheirs = await sql.takeChallenge(app.db.direct, hashOf(challenge), asker, app.clock.now())
  return isTheirs ? challenge : null
}

const hashOf = (challenge: string): Buffer => hash('sha256', challenge, 'buffer')
