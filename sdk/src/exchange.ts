// One request and its answer, within its time. Every failure comes out as a CowrieError, or as the caller's own abort.
import { decodeFrame, isEventStream, malformed, parseJson, readBytes, refusalFrom } from './answer.ts'
import { Deadline } from './deadline.ts'
import { CowrieError } from './errors.ts'
import { EventParser } from './events.ts'

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

/** An answer with a good status. One of the readers is called, once; it also lets the connection go. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  json(): Promise<unknown>
  /** Closes the connection when the caller stops iterating. */
  frames(): AsyncGenerator<unknown, void, undefined>
}

type Lost = 'network_error' | 'stream_cut'

export async function exchange(request: HttpRequest): Promise<Reply> {
  const { method, url, headers, body = null } = request
  const deadline = new Deadline(request.signal)
  deadline.allow(request.timeoutMs)
  // Called as a plain function: a browser's own fetch refuses to be anyone's method.
  const send = request.fetch
  const response = await guarded(() =>
    send(url, { method, headers, body, signal: deadline.signal, redirect: 'manual' }),
  )
  if (!response.ok) {
    const refusal = await guarded(() => refusalFrom(response))
    deadline.end()
    throw refusal
  }
  return {
    status: response.status,
    headers: response.headers,
    bytes: () => whole((bytes) => bytes),
    text: () => whole((bytes) => new TextDecoder().decode(bytes)),
    json: () => whole((bytes) => parseJson(response, bytes)),
    frames,
  }

  async function whole<T>(decode: (bytes: Uint8Array) => T): Promise<T> {
    const result = await guarded(async () => decode(await readBytes(response)))
    deadline.end()
    return result
  }

  async function* frames(): AsyncGenerator<unknown, void, undefined> {
    try {
      if (!isEventStream(response))
        throw malformed(
          response,
          'The answer is not a stream; check that the base URL is the service itself.',
        )
      const parser = new EventParser()
      const decoder = new TextDecoder()
      const reader = response.body?.getReader()
      for (let open = true; open; ) {
        // The clock runs only while we wait: what the caller does with a frame may take as long as it likes.
        deadline.allow(request.streamSilenceMs)
        const chunk = (await guarded(async () => reader?.read(), 'stream_cut'))?.value
        deadline.pause()
        open = chunk !== undefined
        const completed = await guarded(async () => parser.push(decoder.decode(chunk, { stream: open })))
        for (const data of completed) yield decodeFrame(response, data)
      }
      if (parser.unfinished) throw lost('stream_cut', 'it ended in the middle of a frame')
    } finally {
      deadline.end()
    }
  }

  async function guarded<T>(work: () => Promise<T>, code: Lost = 'network_error'): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const failure = explain(error, code)
      deadline.end()
      throw failure
    }
  }

  function explain(error: unknown, code: Lost): unknown {
    if (error instanceof CowrieError) return error
    if (deadline.expired)
      return new CowrieError({
        status: 0,
        code: 'timeout',
        message: `${originOf(url)} did not answer in time; try again, or allow more time.`,
        cause: error,
      })
    return request.signal?.aborted ? request.signal.reason : lost(code, reasonOf(error), error)
  }

  function lost(code: Lost, reason: string, cause?: unknown): CowrieError {
    const what =
      code === 'stream_cut'
        ? `The stream from ${originOf(url)} broke off`
        : `${originOf(url)} cannot be reached`
    return new CowrieError({ status: 0, code, message: `${what}: ${reason}.`, cause })
  }
}

const originOf = (url: string): string => (url.startsWith('/') ? 'The service' : new URL(url).origin)

/** A fetch that fails says little itself; what it wraps says more. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(inner instanceof Error)) return 'the connection failed'
  return (inner.message || ('code' in inner ? String(inner.code) : inner.name)).replace(/\.$/, '')
}
