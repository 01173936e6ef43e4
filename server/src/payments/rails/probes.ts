// Helpers for the safe calls of the rails: verdicts about keys, and samples.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { HttpResponse } from './http-client.ts'
import type { KeyVerdict, OpenRail, RailProbes, WebhookRequest } from './rail.ts'
import { redactedDetail } from './text.ts'

/** A reference in our format that no payment has: payments have 26 letters and digits, too. */
export const unusedReference = (): string => `tp${randomBytes(13).toString('hex')}`

/** Looks up the sample with the rail's own status query. */
export function lookUpWith(check: OpenRail['check']): RailProbes['lookUp'] {
  return async (http, sample) => {
    const query = { ...sample, amountMinor: 100n, createdAt: http.clock.now(), providerRef: null }
    const found = await check(http, query)
    if (found.status === 'pending' && found.isNotFound) return { found: 'unknown', detail: found.detail }
    if (found.status === 'unknown') return { found: 'unclear', detail: redactedDetail(found.reason) }
    if (found.status === 'pending') return { found: 'pending', detail: redactedDetail(found.detail) }
    return { found: 'other', detail: found.status }
  }
}

/** The verdict of providers that use the HTTP status and a message. */
export function readKeyReply({ status, json }: HttpResponse): KeyVerdict {
  const { message, error, errorMessage, errorCode } = Message.parse(json)
  const words = [message, error, errorMessage].find((each) => each !== null)
  const detail = redactedDetail(`status ${status}`, errorCode, words)
  // A page of a proxy can have status 200.
  if (status === 200 && json !== undefined) return { keys: 'accepted', detail }
  if (REFUSED.has(status) && ADDRESS.test(words ?? '')) return { keys: 'address_refused', detail }
  return { keys: REFUSED.has(status) ? 'refused' : 'unclear', detail }
}

/** Refusals that name the address of the caller. */
export const ADDRESS = /\bip\b|white ?list|allow ?list/i

const REFUSED = new Set([400, 401, 403])

const word = z.string().nullable().catch(null)
const Message = z.object({ message: word, error: word, errorMessage: word, errorCode: word }).catch({
  message: null,
  error: null,
  errorMessage: null,
  errorCode: null,
})

/** The currencies of a list of balances. Null when it is not one. */
export function currenciesOfBalances(json: unknown): string[] | null {
  const balances = Balances.safeParse(json)
  return balances.success ? balances.data.data.map(({ currency }) => currency.toUpperCase()) : null
}

const Balances = z.object({ data: z.array(z.object({ currency: z.string().regex(/^[A-Za-z]{3}$/) })).min(1) })

/** Changes one letter of the body, so that its signature is no longer valid. */
export const withChangedBody = (
  { raw, headers }: WebhookRequest,
  from: string,
  to: string,
): WebhookRequest => ({
  raw: Buffer.from(raw.toString('utf8').replaceAll(from, to)),
  headers,
})
