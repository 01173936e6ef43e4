// The key that identifies us to the push services of browsers (VAPID, RFC 8292).
import { createECDH } from 'node:crypto'
import type { EnvironmentReader } from './environment.ts'

export type VapidConfig = {
  /** 32 bytes in base64url. */
  readonly privateKey: string
  /** Where push services reach us: a mailto or https address. */
  readonly subject: string
}

export function readVapid(read: EnvironmentReader): VapidConfig | null {
  const privateKey = read.text('SERVICE_VAPID_PRIVATE_KEY')
  const subject = read.text('SERVICE_VAPID_SUBJECT')
  if (privateKey === null) return null
  if (!isPrivateKey(privateKey))
    read.problem('SERVICE_VAPID_PRIVATE_KEY', 'must be a private key of P-256: 32 bytes in base64url.')
  else if (subject === null)
    read.problem('SERVICE_VAPID_SUBJECT', 'is required with SERVICE_VAPID_PRIVATE_KEY.')
  else if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/.test(subject))
    read.problem(
      'SERVICE_VAPID_SUBJECT',
      'must be a mailto: or https: address, such as mailto:ops@cowrie.example.',
    )
  else return { privateKey, subject }
  return null
}

function isPrivateKey(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return false
  try {
    createECDH('prime256v1').setPrivateKey(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}
