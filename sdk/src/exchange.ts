// One request and its answer, within its time. Every failure comes out as a CowrieError, or as the caller's own abort.
import { Deadline } from './deadline.ts'
import { CowrieError, refusalInFrame, refusalOf } from './errors.ts'
import { EventParser, FrameTooLarge } from './events.ts'
import { fromJson, InexactMoney } from './json.ts'
import { readRetryAfter } from './retry.ts'

export type HttpRequest = {
  method: string
  url: string
  headers: Headers
  body: string | undefined
  signal: AbortSignal | undefined
  timeoutMs: number
  streamSilenceMs: number
  fetch: typeof fetch
}

/** An answer with a good status. Exactly one of the readers is called, once; it also lets the connection go. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  json(): Promise<unknown>
  /** Ends the stream when the caller stops iterating. */
  frames(): AsyncGenerator<unknown, void, undefined>
}

/** What one reply may weigh. A larger one is refused with `reply_too_large` rather than kept in memory. */
const REPLY_MAX_BYTES = 64 * 1024 * 1024

export async function exchange(request: HttpRequest): Promise<Reply> {
  const { method, url, headers, body, timeoutMs, streamSilenceMs } = request
  const deadline = new Deadline(request.signal)
  deadline.allow(timeoutMs)
  // Called as a plain function: a browser's own fetch refuses to be anyone's method.
  const send = request.fetch
  const response = await failing(() => send(url, { method, headers, body: body ?? null, signal: deadline.signal, redirect: 'manual' }))
  const requestId = response.headers.get('x-request-id')
  if (!response.ok) throw await failing(() => refuse())

  return {
    status: response.status,
    headers: response.headers,
    bytes: () => finishing(() => readBytes()),
    text: () => finishing(async () => decode(await readBytes())),
    json: () => finishing(async () => readJson(decode(await readBytes()))),
    frames,
  }

  /** Reads a buffered answer and lets go of the connection, however that ends. */
  async function finishing<T>(read: () => Promise<T>): Promise<T> {
    const result = await failing(read)
    deadline.end()
    return result
  }

  async function failing<T>(work: () => Promise<T>, lost: 'network_error' | 'stream_cut' = 'network_error'): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const explained = explain(error, lost)
      deadline.end()
      throw explained
    }
  }

  function explain(error: unknown, lost: 'network_error' | 'stream_cut'): unknown {
    if (error instanceof CowrieError) return error
    if (deadline.givenUp) return request.signal?.reason
    const place = new URL(url, 'http://localhost').origin
    if (deadline.expired) return new CowrieError({ status: 0, code: 'timeout', message: `${place} did not answer in time; try again, or allow more with timeoutMs.`, cause: error })
    const what = lost === 'stream_cut' ? `The stream from ${place} broke off` : `${place} cannot be reached`
    return new CowrieError({ status: 0, code: lost, message: `${what}: ${reasonOf(error)}.`, cause: error })
  }

  async function refuse(): Promise<CowrieError> {
    const { status } = response
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      return new CowrieError({ status, code: 'unexpected_redirect', message: 'The address answered with a redirect; check the base URL.', requestId })
    const retryAfter = readRetryAfter(response.headers.get('retry-after'))
    const text = decode(await readBytes())
    const refusal = isJson(response) ? refusalOf(readJson(text), { status, requestId, retryAfter }) : null
    if (refusal) return refusal
    return malformed(`The answer was HTTP ${status} without an explanation; something between you and the service may have sent it.`, retryAfter)
  }

  function readJson(text: string): unknown {
    if (!isJson(response)) throw malformed('The answer is not JSON; check that the base URL is the service itself.')
    try {
      return fromJson(text)
    } catch (error) {
      throw malformed(error instanceof InexactMoney ? `The answer cannot be trusted: ${error.message}.` : 'The answer is not valid JSON.', null, error)
    }
  }

  function malformed(message: string, retryAfter: number | null = null, cause?: unknown): CowrieError {
    return new CowrieError({ status: response.status, code: 'malformed_reply', message, requestId, retryAfter, cause })
  }

  async function readBytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.byteLength
      if (size > REPLY_MAX_BYTES) throw new CowrieError({ status: response.status, code: 'reply_too_large', message: `The answer is larger than ${REPLY_MAX_BYTES} bytes; ask for less at once.`, requestId })
      chunks.push(read.value)
    }
    return join(chunks, size)
  }

  async function* frames(): AsyncGenerator<unknown, void, undefined> {
    try {
      if (!contentType(response).startsWith('text/event-stream')) throw malformed('The answer is not a stream; check that the base URL is the service itself.')
      const parser = new EventParser()
      const decoder = new TextDecoder()
      const reader = response.body?.getReader()
      for (let done = false; !done; ) {
        const next = await failing(async () => {
          deadline.allow(streamSilenceMs)
          const read = await reader?.read()
          deadline.pause()
          return takeChunk(parser, decoder, read?.value)
        }, 'stream_cut')
        for (const frame of next.frames) yield frame
        done = next.done
      }
    } finally {
      deadline.end()
    }
  }

  /** The frames that a chunk completes; no chunk is the end. */
  function takeChunk(parser: EventParser, decoder: TextDecoder, chunk: Uint8Array | undefined) {
    const done = chunk === undefined
    const frames = pushed(parser, decoder.decode(chunk, { stream: !done })).map((data) => {
      const frame = readFrame(data)
      const refusal = refusalInFrame(frame, requestId)
      if (refusal) throw refusal
      return frame
    })
    if (done && parser.unfinished) throw new Error('it ended in the middle of a frame')
    return { frames, done }
  }
}
