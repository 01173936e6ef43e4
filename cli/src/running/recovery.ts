// What a failure says about work that may be under way: that it was refused, or nothing at all. Only the first is an end.
import { CowrieError } from '@cowrie/sdk'
import type { Result } from '../results/result.ts'

/** Refusals of any call, by a service that has not looked yet what became of this one. */
const BUSY_CODES = new Set([
  'busy',
  'database_unavailable',
  'maintenance',
  'rate_limited',
  'request_timeout',
  'restarting',
  'too_many_attempts',
  'too_many_streams',
])
/** The service itself does not know yet, or it was not the service that answered. */
const OPEN_CODES = new Set([
  'handler_timeout',
  'idempotency_in_progress',
  'malformed_reply',
  'outcome_unknown',
  'stream_cut',
  'unexpected_redirect',
])
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000]

/** Whether the same call, sent again under its key, may still bring the outcome. */
export const isOpen = ({ status, code }: CowrieError, mayHaveBegun: boolean): boolean =>
  status === 0 ||
  status === 502 ||
  status === 504 ||
  OPEN_CODES.has(code) ||
  (mayHaveBegun && BUSY_CODES.has(code))

/**
 * A fault of the service in the middle, or a work that nobody finished: what was done before is not known here. Nor is it when
 * somebody is not let in to ask for what may have begun.
 */
export const isUndecided = ({ status, code }: CowrieError, mayHaveBegun: boolean): boolean =>
  UNDECIDED_CODES.has(code) || (mayHaveBegun && (status >= 500 || NOT_LET_IN.has(status)))

const UNDECIDED_CODES = new Set(['internal', 'work_ended'])
const NOT_LET_IN = new Set([401, 403, 408, 429, 451])

export const waitMs = ({ retryAfter }: CowrieError, tries: number): number =>
  Math.max((retryAfter ?? 0) * 1_000, WAITS_MS[tries] ?? WAITS_MS.at(-1) ?? 0)

/** The service has answered, in whatever way: the network is there. */
export const isHeard = ({ status }: CowrieError): boolean => status !== 0

/** Later the service may have forgotten the key, and the same call would be a new one. */
export const isKeyKnown = ({ createdAt }: Pick<Result, 'createdAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(createdAt) <= KEY_KNOWN_MS

const KEY_KNOWN_MS = 12 * 60 * 60_000

export const lost = (): CowrieError =>
  new CowrieError({ status: 0, code: 'stream_cut', message: 'The stream ended before the result.' })
