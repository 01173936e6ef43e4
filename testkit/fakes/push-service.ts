// A push service on loopback, and browsers that subscribe to it. It checks our signature and decrypts independently.
import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PushedText = { title: string; body: string; url: string; tag: string; lang: string }
export type ReceivedPush = {
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  readonly text: PushedText
  readonly claims: { aud: string; exp: number; sub: string }
}
/** A status with optional headers, or a connection that breaks. */
export type PushReply = number | 'reset' | { status: number; headers: Record<string, string> }

export type FakeBrowser = {
  readonly endpoint: string
  readonly keys: { p256dh: string; auth: string }
  readonly received: ReceivedPush[]
  /** Sets the replies of the push service to this browser; the last one repeats. Default: 201. */
  answer(...replies: PushReply[]): void
  /** How often the push service was called for this browser. */
  calls(): number
}
export type PushService = { readonly url: string; browser(): FakeBrowser; close(): Promise<void> }

type Client = FakeBrowser & {
  reply(): PushReply
  open(headers: IncomingMessage['headers'], bytes: Buffer): void
}

export async function startPushService(): Promise<PushService> {
  const clients = new Map<string, Client>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const client = clients.get(request.url ?? '')
    if (!client) return response.writeHead(404).end()
    const reply = client.reply()
    if (reply === 'reset') return response.destroy()
    const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply
    if (status === 201) client.open(request.headers, Buffer.concat(parts))
    return response.writeHead(status, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    browser() {
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const client = createBrowser(url + path)
      clients.set(path, client)
      return client
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createBrowser(endpoint: string): Client {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  const received: ReceivedPush[] = []
  let replies: PushReply[] = [201]
  let calls = 0
  return {
    endpoint,
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    received,
    answer(...next) {
      replies = next
    },
    calls: () => calls,
    reply() {
      calls++
      return (replies.length > 1 ? replies.shift() : replies[0]) ?? 201
    },
    open(headers, bytes) {
      const text = JSON.parse(decrypt(bytes, own, auth).toString('utf8')) as PushedText
      received.push({ headers, bytes, text, claims: claimsOf(String(headers.authorization)) })
    },
  }
}

/** RFC 8291, from the side of the browser. */
export function decrypt(bytes: Buffer, own: ECDH, auth: Buffer): Buffer {
  const salt = bytes.subarray(0, 16)
  const keyLength = bytes[20] ?? 0
  const theirs = bytes.subarray(21, 21 + keyLength)
  const sealed = bytes.subarray(21 + keyLength)
  const secret = hmac(hmac(auth, own.computeSecret(theirs)), [
    Buffer.from('WebPush: info\0'),
    own.getPublicKey(),
    theirs,
    [1],
  ])
  const prk = hmac(salt, secret)
  const key = hmac(prk, [Buffer.from('Content-Encoding: aes128gcm\0'), [1]]).subarray(0, 16)
  const nonce = hmac(prk, [Buffer.from('Content-Encoding: nonce\0'), [1]]).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2))
}

const hmac = (key: Uint8Array, data: Uint8Array | readonly (Uint8Array | readonly number[])[]): Buffer =>
  createHmac('sha256', key)
    .update(data instanceof Uint8Array ? data : Buffer.concat(data.map((part) => Uint8Array.from(part))))
    .digest()

/** Throws unless the token is signed with the key that the header names. */
function claimsOf(header: string): ReceivedPush['claims'] {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33),
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the token is not signed with the key of the header')
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as ReceivedPush['claims']
}
