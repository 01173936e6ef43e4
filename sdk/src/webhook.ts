// Verifies webhooks of the service, which follow Standard Webhooks. Uses only WebCrypto.
import { fromJson } from './json.ts'

type EventData = {
  /** The provider confirmed a top-up, and the wallet is credited. */
  'topup.settled': {
    reference: string
    amountMinor: bigint
    creditedMinor: bigint
    currency: string
    channel: string
    settledAt: string
  }
  /** Sent once, until the balance rises above the threshold again. */
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
  /** `spentMinor` is after a refund. Read the task for its summary and changes. */
  'task.turn.finished': {
    taskId: string
    turnId: string
    ordinal: number
    stopReason: string
    verified: boolean
    spentMinor: bigint
    changedFiles: number
  }
  /** The turn waits until a member approves or declines the tool call. `reason` is a code: `protected_file`. */
  'task.needs_approval': {
    taskId: string
    turnId: string
    approvalId: string
    tool: string
    reason: string
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

/** `id` is the same for every delivery attempt. Events can arrive more than once and out of order. */
export type WebhookEvent = {
  [T in keyof EventData]: { id: string; type: T; timestamp: string; data: EventData[T] }
}[keyof EventData]

/** The signature or timestamp is not valid. Answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export type WebhookCall = {
  /** The secret that was shown when the endpoint was added, `whsec_…`. */
  readonly secret: string
  /** The request headers, of fetch or of Node.js. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body. Parsed and printed again, it would have another signature. */
  readonly body: string | Uint8Array
  /** How old the timestamp may be. Limits clock differences and replay of recorded calls. Default: 300. */
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
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('The webhook-timestamp header is not a timestamp.')
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The signature is too old, or the clocks differ.')

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const key = await importKey(secret)
  // There is one signature for each valid secret. The comparison takes constant time.
  for (const signature of signatures)
    if (signature.startsWith('v1,')) {
      const bytes = decodeBase64(signature.slice(3))
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parseEvent(id, text)
    }
  throw new WebhookError('No signature of the call matches this secret.')
}

function importKey(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? decodeBase64(secret.slice(PREFIX.length)) : null
  if (!bytes) throw new TypeError('secret must be the whsec_… secret of the endpoint')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function headerOf(headers: WebhookCall['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The call has no ${name} header.`)
  return value
}

/** Null when the text is not base64. */
function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function parseEvent(id: string, text: string): WebhookEvent {
  // The signature proves the sender, and the service guarantees the shape.
  return { ...(fromJson(text) as Omit<WebhookEvent, 'id'>), id } as WebhookEvent
}
