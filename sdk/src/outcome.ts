// Whether a failed call took effect, and whether to send it again. No other code keeps a list of error codes for this.
import { CowrieError, entryOf } from './errors.ts'
import type { Outcome } from './generated-errors.ts'

type Failure = Pick<CowrieError, 'status' | 'code' | 'retryAfter'>

/** Codes of answers that the service did not send, or that could not be read to their end. */
const UNREADABLE_CODES = new Set<string>(['malformed_reply', 'unexpected_redirect', 'reply_too_large'])
/** Refusals of access. The service gives them before it looks at the key. */
const ACCESS_STATUSES = new Set([401, 403, 451])

/** The outcome of the request. A code that is not in the table is judged by its status. */
export function outcomeOf({ status, code, retryAfter }: Failure): Outcome {
  const entry = entryOf(code)
  if (entry) return entry[1]
  if (status === 0 || status >= 500 || UNREADABLE_CODES.has(code)) return 'unknown'
  return status === 408 || status === 429 || retryAfter !== null ? 'retry' : 'decided'
}

/**
 * Whether to keep the idempotency key and send the same request again: the outcome is not known yet, or nothing happened. After a
 * refusal of access an earlier request with the key may still have taken effect. With `isFirst` there was no earlier
 * request, so only an unknown outcome counts. An error of another kind, such as your own abort, leaves the outcome unknown.
 */
export function resumable(error: unknown, { isFirst = false }: { isFirst?: boolean } = {}): boolean {
  if (!(error instanceof CowrieError)) return true
  const outcome = outcomeOf(error)
  return outcome === 'unknown' || (!isFirst && (outcome === 'retry' || ACCESS_STATUSES.has(error.status)))
}

/** Whether the same request can succeed later without any other change. */
export function retryable(error: Failure): boolean {
  const { code, retryAfter } = error
  const outcome = outcomeOf(error)
  if (outcome !== 'unknown') return outcome === 'retry'
  const [status] = entryOf(code) ?? [null]
  // A bug repeats its answer, and a card challenge waits for the payer.
  if (status !== null) return status !== 500 && status !== 402
  return (
    error.status === 0 || retryAfter !== null || (UNREADABLE_CODES.has(code) && code !== 'reply_too_large')
  )
}
