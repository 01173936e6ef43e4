// The one error that calls throw: a refusal of the service by its name, or why there was no usable answer.
import { type ErrorCode, errorStatuses } from './generated.ts'

/** Failures that no answer of the service names. */
export type LocalCode =
  /** The service could not be reached, or the connection broke before the answer was complete. */
  | 'network_error'
  /** No complete answer within `timeoutMs`; for a stream, nothing at all within `streamSilenceMs`. */
  | 'timeout'
  /** The connection broke in the middle of a stream. What the frames so far said remains true. */
  | 'stream_cut'
  /** Something answered, but not in the way of the service: often a proxy or a wrong base URL. */
  | 'malformed_reply'
  | 'unexpected_redirect'
  | 'reply_too_large'

/** Codes that a newer service adds are strings too. */
export type Code = ErrorCode | LocalCode | (string & {})
export type Field = { path: string; message: string }

export type ErrorParts = {
  status: number
  code: Code
  message: string
  requestId?: string | null
  fields?: readonly Field[]
  retryAfter?: number | null
  detail?: Readonly<Record<string, unknown>>
  cause?: unknown
}

export class CowrieError extends Error {
  override readonly name = 'CowrieError'
  /** The HTTP status; 0 when the service could not be reached or its answer did not arrive whole. */
  readonly status: number
  /** Stable name of the refusal, to branch on. The message is for people. */
  readonly code: Code
  /** Quote this when you report a problem. */
  readonly requestId: string | null
  /** What was wrong with which field of the request. */
  readonly fields: readonly Field[]
  /** Seconds after which trying again makes sense, when the service said so. */
  readonly retryAfter: number | null
  /** Further fields of the answer, such as `requiredMinor`. */
  readonly detail: Readonly<Record<string, unknown>>
  /** The key this call was sent with: send it again to learn or finish the outcome of the same intent. */
  idempotencyKey: string | null = null

  constructor({
    status,
    code,
    message,
    requestId = null,
    fields = [],
    retryAfter = null,
    detail = {},
    cause,
  }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
    this.retryAfter = retryAfter
    this.detail = detail
  }

  /** Whether a failure is one of these: `if (CowrieError.is(error, 'insufficient_funds')) …`; without codes, any of the SDK's. */
  static is<C extends Code = Code>(
    error: unknown,
    ...codes: C[]
  ): error is CowrieError & { readonly code: C } {
    return error instanceof CowrieError && (codes.length === 0 || codes.some((code) => code === error.code))
  }
}

type Origin = { status: number; requestId: string | null; retryAfter?: number | null }

/** The error that a body `{error, code, …}` means; null when it is none of ours. */
export function refusalOf(
  body: unknown,
  { status, requestId, retryAfter = null }: Origin,
): CowrieError | null {
  if (!isRefusal(body)) return null
  const { error, code, requestId: named, fields, ...detail } = body
  return new CowrieError({
    status,
    code,
    message: error,
    requestId: typeof named === 'string' ? named : requestId,
    fields: Array.isArray(fields) ? fields.filter(isField) : [],
    retryAfter,
    detail,
  })
}

/** The last frame of a stream that failed after it had begun. Its status is the one the code has elsewhere. */
export function refusalInFrame(frame: unknown, requestId: string | null): CowrieError | null {
  const status =
    isRefusal(frame) && Object.hasOwn(errorStatuses, frame.code)
      ? errorStatuses[frame.code as ErrorCode]
      : 500
  return refusalOf(frame, { status, requestId })
}

type Refusal = { error: string; code: string } & Record<string, unknown>
const isRefusal = (body: unknown): body is Refusal =>
  typeof body === 'object' &&
  body !== null &&
  'error' in body &&
  typeof body.error === 'string' &&
  'code' in body &&
  typeof body.code === 'string'
const isField = (value: unknown): value is Field =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string'
