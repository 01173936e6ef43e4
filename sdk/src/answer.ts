// Reads answers: bytes within a limit, JSON, frames and errors.
import { CowrieError, errorFromBody, errorFromFrame } from './errors.ts'
import { fromJson, InexactMoney } from './json.ts'
import { readRetryAfter } from './retry.ts'

/** A larger reply fails with `reply_too_large` instead of filling the memory. */
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
        `The answer is larger than ${REPLY_MAX_BYTES} bytes. Request less at once.`,
      )
    chunks.push(read.value)
  }
  return joined(chunks, size)
}

export function parseJson(response: Response, bytes: Uint8Array): unknown {
  if (!isJson(response))
    throw malformed(response, 'The answer is not JSON. Check that the base URL is the service itself.')
  return parse(response, new TextDecoder().decode(bytes))
}

/** Returns the frame; throws when it is an error frame. */
export function decodeFrame(response: Response, data: string): unknown {
  const frame = parse(response, data)
  const error = errorFromFrame(frame, requestIdOf(response))
  if (error) throw error
  return frame
}

/** The error of an answer without a 2xx status, with the message of the service if it sent one. */
export async function errorFrom(response: Response): Promise<CowrieError> {
  const { status, headers, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return unusable(
      response,
      'unexpected_redirect',
      'The address answered with a redirect. Check the base URL.',
    )
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  const bytes = await readBytes(response)
  const error = isJson(response)
    ? errorFromBody(parseJson(response, bytes), { status, requestId: requestIdOf(response), retryAfter })
    : null
  return (
    error ??
    malformed(
      response,
      `The answer was HTTP ${status} without an error code. A proxy may have sent it; check the base URL and your network.`,
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
        ? `The answer has an amount that is not exact: ${cause.message}.`
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
