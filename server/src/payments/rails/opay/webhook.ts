// Reads OPay's webhooks in both versions in use. Version 1 has a signature over some fields in the body; version 2 has one
// over all bytes in a header.
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { secretsEqual } from '../../../platform/secrets.ts'
import { parseJsonExactly, singleHeader } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

/** `secrets`: the current secret key and, during a rotation, the previous one. */
export function parseOpayWebhook(secrets: readonly string[], message: WebhookRequest): WebhookEvent {
  const timestamp = singleHeader(message, 'requesttimestamp')
  return timestamp === null
    ? parseSignedFields(secrets, message)
    : parseSignedBytes(secrets, message, timestamp)
}

// Bounds the length of OPay's short fields.
const word = z.string().max(128)
const text = z
  .union([word, z.number()])
  .nullish()
  .transform((value) => String(value ?? ''))

const Fields = z.object({
  payload: z.object({
    amount: text,
    currency: text,
    reference: text,
    refunded: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    status: text,
    timestamp: text,
    token: text,
    transactionId: text,
  }),
  sha512: z.string(),
  type: word.nullish(),
})

function parseSignedFields(secrets: readonly string[], { raw }: WebhookRequest): WebhookEvent {
  const parsed = Fields.safeParse(parseJsonExactly(raw.toString()))
  if (!parsed.success) return 'forged'
  const { payload, sha512, type } = parsed.data
  const signed = signedText(payload)
  // Despite its name the field contains SHA-3.
  const isGenuine = secrets.some((secret) => secretsEqual(sha512, hmac('sha3-512', secret, signed)))
  if (!isGenuine || hasLooseQuotes(payload)) return 'forged'
  const { reference, status, timestamp, refunded } = payload
  if (!reference) return 'nothing'
  return {
    about: { reference },
    eventKey: `${reference}:${status}:${timestamp}${refunded ? ':refunded' : ''}`,
    kind: `${type ?? 'callback'} ${status}${refunded ? ' refunded' : ''}`,
  }
}

type Payload = z.output<typeof Fields>['payload']

const signedText = (payload: Payload): string =>
  `{Amount:"${payload.amount}",Currency:"${payload.currency}",Reference:"${payload.reference}"` +
  `,Refunded:${payload.refunded ? 't' : 'f'},Status:"${payload.status}",Timestamp:"${payload.timestamp}"` +
  `,Token:"${payload.token}",TransactionID:"${payload.transactionId}"}`

/** The signed text has no escaping, so a quote inside a field could forge another field. */
const hasLooseQuotes = (payload: Payload): boolean => Object.values(payload).join('').includes('"')

const Callback = z.object({
  reference: word.min(1),
  status: word,
  notifyId: word.min(1).nullish(),
  timestamp: text,
  type: word.nullish(),
})

function parseSignedBytes(
  secrets: readonly string[],
  message: WebhookRequest,
  timestamp: string,
): WebhookEvent {
  const header = singleHeader(message, 'authorization') ?? singleHeader(message, 'signature')
  if (header === null) return 'forged'
  const signature = header.replace(/^Bearer /, '')
  if (!secrets.some((secret) => secretsEqual(signature, callbackSignature(secret, timestamp, message.raw))))
    return 'forged'
  const parsed = Callback.safeParse(parseJsonExactly(message.raw.toString()))
  if (!parsed.success) return 'nothing'
  const { reference, status, notifyId, type } = parsed.data
  return {
    about: { reference },
    eventKey: notifyId ?? `${reference}:${status}:${parsed.data.timestamp}`,
    kind: `${type ?? 'callback'} ${status}`,
  }
}

/** The signature of version 2. */
export const callbackSignature = (secret: string, timestamp: string, raw: Buffer): string =>
  hmac('sha512', secret, Buffer.concat([Buffer.from(timestamp), raw]))

const hmac = (algorithm: string, secret: string, signed: string | Buffer): string =>
  createHmac(algorithm, secret).update(signed).digest('hex')
