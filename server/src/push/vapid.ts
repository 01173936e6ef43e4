// Our key for push services (VAPID, RFC 8292): from the configuration, or generated once outside production.
import { createECDH, createPrivateKey, sign } from 'node:crypto'
import type { App } from '../platform/app.ts'
import { sealedColumn } from '../platform/sealed-data.ts'
import { UnsealError } from '../platform/secrets.ts'
import * as sql from './sql.ts'

export type VapidKey = {
  readonly privateKey: string
  /** The `applicationServerKey` of browsers. */
  readonly publicKey: string
  readonly subject: string
}

const CONTEXT = 'push vapid key'
// Push services accept at most a day.
const TOKEN_SECONDS = 12 * 3_600

/** Null where push is off: in production without a configured key. */
export async function vapidKey(app: App): Promise<VapidKey | null> {
  const { vapid, environment, baseUrl } = app.config
  if (vapid) return withPublicKey(vapid.privateKey, vapid.subject)
  if (environment === 'production') return null
  // Push services refuse http subjects; a loopback address is used in development only.
  return withPublicKey(
    await generatedKey(app),
    baseUrl.startsWith('https:') ? baseUrl : 'mailto:dev@localhost',
  )
}

export const sealedPushKey = sealedColumn({
  name: 'push_keys.private_sealed',
  list: sql.listSealedKeys,
  replace: sql.replaceSealedKey,
  contextOf: () => CONTEXT,
})

/** Stored once, so that all replicas and restarts use the same key. */
function generatedKey(app: App): Promise<string> {
  return app.db.tx('platform', async (tx) => {
    const stored = await sql.findKey(tx)
    const opened = stored === undefined ? null : open(app, stored)
    if (opened !== null) return opened
    await tx.lock('push vapid key')
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    const made = ecdh.getPrivateKey().toString('base64url').padStart(43, 'A')
    return open(app, await sql.storeKey(tx, app.secrets.seal(made, CONTEXT), stored ?? null)) ?? made
  })
}

/** Null if the secret of the service has changed since. */
function open(app: App, sealed: string): string | null {
  try {
    return app.secrets.open(sealed, CONTEXT)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

function withPublicKey(privateKey: string, subject: string): VapidKey {
  return { privateKey, publicKey: publicPoint(privateKey).toString('base64url'), subject }
}

function publicPoint(privateKey: string): Buffer {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  return ecdh.getPublicKey()
}

/** The header that identifies us to one push service. */
export function authorization(key: VapidKey, endpoint: string, now: Date): string {
  const point = publicPoint(key.privateKey)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: key.privateKey,
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + TOKEN_SECONDS,
    sub: key.subject,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), {
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${key.publicKey}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
