// Parses headers and JSON of providers.
import { after } from '../../kernel/clock.ts'
import type { HttpClient } from './http-client.ts'
import type { PaymentQuery, WebhookRequest } from './rail.ts'

/** The value of a header that is present exactly once; else null. */
export function singleHeader({ headers }: WebhookRequest, name: string): string | null {
  const value = headers[name]
  if (typeof value === 'string') return value
  return value?.length === 1 ? (value[0] ?? null) : null
}

/** Whether a payment is so recent that the provider may not know it yet. */
export const isWithinGracePeriod = (
  { clock }: HttpClient,
  { createdAt }: PaymentQuery,
  minutes = 10,
): boolean => clock.now() < after(createdAt, { minutes })

/**
 * Parses JSON with long integers as strings, because JavaScript numbers would lose digits of transaction ids. Undefined
 * when it is not JSON.
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
// Matches strings too, so that digits inside them stay unchanged.
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const quoted = (match: string): string => (/^-?\d{16,}$/.test(match) ? `"${match}"` : match)
