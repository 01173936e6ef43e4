// The one error that calls throw: an error of the service by its code, or the reason why there was no usable answer.
import { type ErrorCode, errorTable } from './generated-errors.ts'

/** Failures without an error answer of the service. */
export type LocalCode =
  /** The service could not be reached, or the connection broke before the answer was complete. */
  | 'network_error'
  /** No complete answer within `timeoutMs`; for a stream, nothing at all within `streamSilenceMs`. */
  | 'timeout'
  /** The connection broke in the middle of a stream. The frames so far remain valid. */
  | 'stream_cut'
  /** The answer is not one of the service: often a proxy or a wrong base URL. */
  | 'malformed_reply'
  | 'unexpected_redirect'
  | 'reply_too_large'

/** A string too, because a newer service may add codes. */
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
  /** Stable name of the error, to branch on. The message is for people. */
  readonly code: Code
  /** Quote it when you report a problem. */
  readonly requestId: string | null
  /** The invalid fields of the request. */
  readonly fields: readonly Field[]
  /** Seconds to wait before the next attempt, when the service sent Retry-After. */
  readonly retryAfter: number | null
  /** Further fields of the answer, such as `requiredMinor`. */
  readonly detail: Readonly<Record<string, unknown>>
  /** The key of this call. Retry with it to learn or finish the outcome; see `resumable`. */
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

  /** Whether the error has one of these codes: `CowrieError.is(error, 'insufficient_funds')`. Without codes: any CowrieError. */
  static is<C extends Code = Code>(
    error: unknown,
    ...codes: C[]
  ): error is CowrieError & { readonly code: C } {
    return error instanceof CowrieError && (codes.length === 0 || codes.some((code) => code === error.code))
  }
}

type Origin = { status: number; requestId: string | null; retryAfter?: number | null }

/** The error in a body `{error, code, …}` or, below `/v1`, `{error: {message, code, …}}`; null for other shapes. */
export function errorFromBody(
  body: unknown,
  { status, requestId, retryAfter = null }: Origin,
): CowrieError | null {
  const native = toNative(body)
  if (!isErrorBody(native)) return null
  const { error, code, requestId: ownRequestId, fields, ...detail } = native
  return new CowrieError({
    status,
    code,
    message: error,
    requestId: typeof ownRequestId === 'string' ? ownRequestId : requestId,
    fields: Array.isArray(fields) ? fields.filter(isField) : [],
    retryAfter,
    detail,
  })
}

/** The error in the last frame of a stream that failed after its start. The status is that of its code. */
export function errorFromFrame(frame: unknown, requestId: string | null): CowrieError | null {
  const native = toNative(frame)
  const [status] = (isErrorBody(native) && entryOf(native.code)) || [500]
  return errorFromBody(frame, { status, requestId })
}

/** The row of the error table with this code, if it is there. */
export const entryOf = (code: string) => errorTable.find(([, , codes]) => codes.split(' ').includes(code))

/** The OpenAI and Anthropic APIs have their errors one level deeper. */
function toNative(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.error)) return body
  const { message, type: _, param: __, ...rest } = body.error
  const requestId = body.requestId ?? body.request_id
  return { ...rest, error: message, ...(requestId !== undefined && { requestId }) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

type ErrorBody = { error: string; code: string } & Record<string, unknown>
const isErrorBody = (body: unknown): body is ErrorBody =>
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
