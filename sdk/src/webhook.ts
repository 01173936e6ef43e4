// What the service tells your own: events by POST, signed as Standard Webhooks has it. Only WebCrypto is used.
import { fromJson } from './json.ts'

type EventData = {
  /** A top-up was confirmed by its provider and is in the wallet. */
  'topup.settled': {
    reference: string
    amountMinor: bigint
    creditedMinor: bigint
    currency: string
    channel: string
    settledAt: string
  }
  /** Told once, until the balance was above the threshold again. */
  'balance.low': { balanceMinor: bigint; thresholdMinor: bigint; currency: string }
  'run.finished': {
    runId: string
    kind: string
    status: string
    stopReason: string | null
    iterations: number
    verified: boolean
    costMinor: bigint
    lane: string
  }
  'research.finished': {
    runId: string
    status: string
    stopReason: string
    depth: string
    spentMinor: bigint
    refundedMinor: bigint
  }
  'invoice.paid': {
    invoiceId: string
    number: string
    totalMinor: bigint
    currency: string
    paidAt: string
  }
  ping: { endpointId: string }
}

/** `id` is the same at every attempt: an event can come more than once, and in another order. */
export type WebhookEvent = {
  [T in keyof EventData]: { id: string; type: T; timestamp: string; data: EventData[T] }
}[keyof EventData]

/** The call did not come from the service, or not now. Answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export type WebhookCall = {
  /** The one that was shown when the endpoint was added, `whsec_…`. */
  readonly secret: string
  /** Of the request: those of fetch, or those of Node.js. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Exactly as it came: parsed and printed again, it is another text with another signature. */
  readonly body: string | Uint8Array
  /** How far the clocks may differ, and for how long a call that somebody recorded is good; 300. */
  readonly toleranceSeconds?: number | undefined
}

const PREFIX = 'whsec_'

/** The event, if the call came from the service; throws a WebhookError otherwise. */
export async function verifyWebhook(
  { secret, headers, body, toleranceSeconds = 300 }: WebhookCall,
  nowMs: number = Date.now(),
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no time.')
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The call was signed too long ago, or the clocks differ.')

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const key = await keyOf(secret)
  // One signature for each secret that is valid now. The comparison takes the same time however much of it is right.
  for (const signature of signatures)
    if (signature.startsWith('v1,')) {
      const bytes = bytesOf(signature.slice(3))
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return eventIn(id, text)
    }
  throw new WebhookError('No signature of the call was made with this secret.')
}

function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null
  if (!bytes) throw new TypeError('secret must be the whsec_… of the endpoint')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function headerOf(headers: WebhookCall['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The call has no ${name}.`)
  return value
}

/** Null for what is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function eventIn(id: string, text: string): WebhookEvent {
  // The signature says whose words these are; what they look like is the service's promise.
  return { ...(fromJson(text) as Omit<WebhookEvent, 'id'>), id } as WebhookEvent
}
