// Calls to tax authorities, with a time limit and a size limit.
import type { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { EgressError, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import type { Rejected, Unknown } from './authority.ts'

export type AuthorityRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte. */
  readonly body?: string
}
export type AuthorityReply = { readonly status: number; readonly json: unknown }
export type AuthorityHttp = {
  readonly clock: Clock
  /** Any status is a reply. Throws `NoReply`. */
  call(address: string, request: AuthorityRequest): Promise<AuthorityReply>
}

/** `sent` is false only when the request certainly did not reach the authority. */
export class NoReply extends Error {
  readonly sent: boolean
  constructor(sent: boolean, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'NoReply'
    this.sent = sent
  }
}

export const CALL_TIMEOUT_MS = 20_000

export const authorityHttp = (app: App, signal: AbortSignal): AuthorityHttp => ({
  clock: app.clock,
  async call(address, { method, headers, body }) {
    const request = {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
      signal,
    }
    try {
      const response = await fetchExternal(address, request, {
        ...egressRules(app),
        timeoutMs: CALL_TIMEOUT_MS,
      })
      return { status: response.status, json: parseJson(await response.text()) }
    } catch (error) {
      if (error instanceof EgressError) throw new NoReply(error.sent, error.message, error)
      throw error
    }
  },
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const JSON_BODY = { 'content-type': 'application/json' }

export const unknown = (reason: string, sent = true): Unknown => ({ outcome: 'unknown', reason, sent })

const REASONS_MAX = 20
const REASON_CHARACTERS_MAX = 300

export function rejected(reasons: readonly (string | null | undefined)[]): Rejected {
  const given = reasons.filter(
    (reason): reason is string => typeof reason === 'string' && reason.trim() !== '',
  )
  const kept = given.slice(0, REASONS_MAX).map((reason) => reason.trim().slice(0, REASON_CHARACTERS_MAX))
  return { outcome: 'rejected', reasons: kept.length > 0 ? kept : ['The authority gave no reason.'] }
}

/** The common failures of all authorities: refused keys, too many requests, outages. Null for any other reply. */
export function failureOf({ status }: AuthorityReply): Unknown | null {
  if (status === 401 || status === 403)
    return unknown(`The authority refuses our keys (status ${status}).`, false)
  if (status === 429) return unknown('The authority received too many requests (status 429).', false)
  return status >= 500 ? unknown(`The authority answered with status ${status}.`) : null
}

export const unreadable = ({ status }: AuthorityReply): Unknown =>
  unknown(`The authority answered with status ${status} in an unknown shape.`)

export const parsed = <Shape extends z.ZodType>(
  shape: Shape,
  { json }: AuthorityReply,
): z.output<Shape> | undefined => shape.safeParse(json).data
