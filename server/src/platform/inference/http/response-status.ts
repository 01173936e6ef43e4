// Classifies the status and headers of an upstream response.
import type { IncomingHttpHeaders } from 'node:http'

const RETRY_AFTER_SECONDS_MAX = 3_600

/** The upstream is overloaded or failed, so a retry may succeed. 501 means it never will. */
export const isRetryable = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)

/** The rejection concerns our key, our account or the configured address, not the request. */
export const isAccountRejection = (status: number): boolean =>
  status === 401 || status === 402 || status === 403 || (status >= 300 && status < 400)

/** The requested delay, at most an hour. Undefined without a valid header. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return bounded(ms / 1000)
  const text = headers['retry-after']
  if (text === undefined || text.trim() === '') return undefined
  const seconds = Number(text)
  if (seconds >= 0) return bounded(seconds)
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : bounded(Math.max(0, (atMs - now.getTime()) / 1000))
}

const bounded = (seconds: number): number => Math.min(RETRY_AFTER_SECONDS_MAX, Math.ceil(seconds))

/** Whether the bytes so far are only comments and empty lines: a keep-alive without any part of the answer. */
export const hasOnlyComments = (bytes: Buffer): boolean =>
  /^\uFEFF?(?::[^\r\n]*(?:\r|\n|$)|[\r\n \t])*$/.test(bytes.toString())
