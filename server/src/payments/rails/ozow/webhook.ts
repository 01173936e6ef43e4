// Reads Ozow's webhooks: forms with a hash over some values, not over the bytes. Other fields are not trusted.

import type { WebhookEvent, WebhookRequest } from '../rail.ts'
import { messageHash, sameHash } from './hash.ts'

type Receiver = {
  readonly siteCode: string
  /** The current key and, during a rotation, the previous one. */
  readonly privateKeys: readonly string[]
}

export function parseOzowWebhook({ siteCode, privateKeys }: Receiver, { raw }: WebhookRequest): WebhookEvent {
  const message = new URLSearchParams(raw.toString('utf8'))
  const hash = message.get('Hash') ?? ''
  if (!privateKeys.some((key) => sameHash(hash, messageHash(message, key)))) return 'forged'
  const reference = message.get('TransactionReference')
  const status = message.get('Status')
  if (!reference || !status || message.get('SiteCode') !== siteCode) return 'nothing'
  return { about: { reference }, eventKey: `${message.get('TransactionId') ?? ''}:${status}`, kind: status }
}
