// What the head of an upstream's answer says about what to do next.
import type { IncomingHttpHeaders } from 'node:http'

const RETRY_AFTER_SECONDS_MAX = 3_600

/** It has too much to do or failed by itself; the same request may well succeed. 501 says that it never will. */
export const isRetryable = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)

/** Not about the request: our key, our account with it, or the address that was set. */
export const isAccountRejection = (status: number): boolean =>
  status === 401 || status === 402 || status === 403 || (status >= 300 && status < 400)

/** What it asks us to wait, at most an hour. Undefined when it does not say, or nothing that makes sense. */
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

/** Whether all there is so far are comments and empty lines: signs of life, and nothing of an answer. */
export const hasOnlyComments = (bytes: Buffer): boolean =>
  /^\uFEFF?(?::[^\r\n]*(?:\r|\n|$)|[\r\n \t])*$/.test(bytes.toString())
