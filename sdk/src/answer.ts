// What came back, made sense of: bytes within a bound, JSON, frames, refusals.
import { CowrieError, refusalInFrame, refusalOf } from './errors.ts'
import { fromJson, InexactMoney } from './json.ts'
import { readRetryAfter } from './retry.ts'

/** What one reply may weigh. A larger one is refused with `reply_too_large` rather than kept in memory. */
const REPLY_MAX_BYTES = 64 * 1024 * 1024

export async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength
    if (size > REPLY_MAX_BYTES)
      throw unusable(
        response,
        'reply_too_large',
        `The answer is larger than ${REPLY_MAX_BYTES} bytes; ask for less at once.`,
      )
    chunks.push(read.value)
  }
  return joined(chunks, size)
}

export function parseJson(response: Response, bytes: Uint8Array): unknown {
  if (!isJson(response))
    throw malformed(response, 'The answer is not JSON; check that the base URL is the service itself.')
  return parse(response, new TextDecoder().decode(bytes))
}

/** The frame, or the refusal that it is. */
export function decodeFrame(response: Response, data: string): unknown {
  const frame = parse(response, data)
  const refusal = refusalInFrame(frame, requestIdOf(response))
  if (refusal) throw refusal
  return frame
}

/** Why the answer is not a good one, in the service's words where it gave any. */
export async function refusalFrom(response: Response): Promise<CowrieError> {
  const { status, headers, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return unusable(
      response,
      'unexpected_redirect',
      'The address answered with a redirect; check the base URL.',
    )
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  const bytes = await readBytes(response)
  const refusal = isJson(response)
    ? refusalOf(parseJson(response, bytes), { status, requestId: requestIdOf(response), retryAfter })
    : null
  return (
    refusal ??
    malformed(
      response,
      `The answer was HTTP ${status} without an explanation; something between you and the service may have sent it.`,
      { retryAfter },
    )
  )
}

export const malformed = (
  response: Response,
  message: string,
  more: { retryAfter?: number | null; cause?: unknown } = {},
): CowrieError => unusable(response, 'malformed_reply', message, more)

export const isEventStream = (response: Response): boolean =>
  contentTypeOf(response).startsWith('text/event-stream')

function parse(response: Response, text: string): unknown {
  try {
    return fromJson(text)
  } catch (cause) {
    throw malformed(
      response,
      cause instanceof InexactMoney
        ? `The answer cannot be relied on: ${cause.message}.`
        : 'The answer is not valid JSON.',
      { cause },
    )
  }
}

type Unusable = 'malformed_reply' | 'unexpected_redirect' | 'reply_too_large'
const unusable = (
  response: Response,
  code: Unusable,
  message: string,
  more: { retryAfter?: number | null; cause?: unknown } = {},
): CowrieError =>
  new CowrieError({ status: response.status, code, message, requestId: requestIdOf(response), ...more })

const requestIdOf = (response: Response): string | null => response.headers.get('x-request-id')
const contentTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').toLowerCase()
const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/.test(contentTypeOf(response))

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
