// The line to a provider: one bounded call over HTTP, with its answer whole. Every rail speaks through it.
import type { Clock } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { callOut, EgressFailed, type EgressRules, egressRules } from '../../platform/egress/egress.ts'

export type HttpClient = {
  readonly clock: Clock
  /** Calls the provider. Throws `NoAnswer` when none came whole and in time. Every status is an answer. */
  call(address: string, request: HttpRequest): Promise<HttpResponse>
}

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  /** Exactly the bytes that are sent: serialise once, sign the same text. */
  readonly body?: string
}

export type HttpResponse = {
  readonly status: number
  readonly text: string
  /** The answer as JSON with its numbers as JavaScript's; undefined when it is none. */
  readonly json: unknown
}

/** No answer came. `sent` is false only when the provider certainly never saw the question. */
export class NoResponse extends Error {
  readonly sent: boolean
  constructor(sent: boolean, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'NoAnswer'
    this.sent = sent
  }
}

const TIMEOUT_MS = 10_000

/** A line for one piece of work. Providers live where operators say; outside production that may be this machine. */
export function createHttpClient(app: App, timeoutMs = TIMEOUT_MS): HttpClient {
  return httpClientWith(app.clock, { ...egressRules(app), timeoutMs })
}

/** A line under rules of one's own, for those who have no app around them. */
export function httpClientWith(clock: Clock, rules: EgressRules): HttpClient {
  return {
    clock,
    async call(address, { method, headers = {}, body }) {
      const asked = {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
      }
      try {
        const response = await callOut(address, asked, rules)
        const text = await response.text()
        return { status: response.status, text, json: parseJson(text) }
      } catch (error) {
        if (error instanceof EgressFailed) throw new NoResponse(error.sent, error.message, error)
        throw error
      }
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
