// Calls to tax authorities, with a time limit and a size limit.
import type { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { EgressError, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import { type UnknownOutcome, unknown } from './outcome.ts'

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

/** The common failures of all authorities: refused keys, too many requests, outages. Null for any other reply. */
export function failureOf({ status }: AuthorityReply): UnknownOutcome | null {
  if (status === 401 || status === 403)
    return unknown(`The authority refuses our keys (status ${status}).`, false)
  if (status === 429) return unknown('The authority received too many requests (status 429).', false)
  return status >= 500 ? unknown(`The authority answered with status ${status}.`) : null
}

export const unreadable = ({ status }: AuthorityReply): UnknownOutcome =>
  unknown(`The authority answered with status ${status} in an unknown shape.`)

export const parsed = <Shape extends z.ZodType>(
  shape: Shape,
  { json }: AuthorityReply,
): z.output<Shape> | undefined => shape.safeParse(json).data
