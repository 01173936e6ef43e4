// Reading what providers send, for the rails that have the same questions about it.
import { after } from '../../kernel/clock.ts'
import type { HttpClient } from './http-client.ts'
import type { PaymentQuery, WebhookRequest } from './rail.ts'

/** A header that came exactly once; null when it is missing or was sent several times. */
export function singleHeader({ headers }: WebhookRequest, name: string): string | null {
  const value = headers[name]
  if (typeof value === 'string') return value
  return value?.length === 1 ? (value[0] ?? null) : null
}

/** Whether a provider may not have heard of a payment yet: asked too early, not finding it says nothing. */
export const isWithinGracePeriod = (
  { clock }: HttpClient,
  { createdAt }: PaymentQuery,
  minutes = 10,
): boolean => clock.now() < after(createdAt, { minutes })

/**
 * JSON with its long whole numbers as texts: as numbers of JavaScript they would lose their last digits, and such are
 * the numbers of transactions. Undefined when it is no JSON.
 */
export function parseJsonExactly(text: string): unknown {
  try {
    const plain = JSON.parse(text) as unknown
    return LONG_NUMBER.test(text) ? (JSON.parse(text.replace(STRING_OR_NUMBER, quoted)) as unknown) : plain
  } catch {
    return undefined
  }
}

const LONG_NUMBER = /\d{16}/
// Strings are matched so that digits inside them are left alone.
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const quoted = (match: string): string => (/^-?\d{16,}$/.test(match) ? `"${match}"` : match)
