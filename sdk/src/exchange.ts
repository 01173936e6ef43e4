// One request and its answer, within its timeout. Every failure is a CowrieError, or the caller's own abort reason.
import { decodeFrame, errorFrom, isEventStream, malformed, parseJson, readBytes } from './answer.ts'
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

/** An answer with a 2xx status. Call exactly one of the readers, once: it also releases the connection. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  json(): Promise<unknown>
  /** Closes the connection when the caller stops iterating. */
  frames(): AsyncGenerator<unknown, void, undefined>
}

type ConnectionCode = 'network_error' | 'stream_cut'

export async function exchange(request: HttpRequest): Promise<Reply> {
  const { method, url, headers, body = null } = request
  const deadline = new Deadline(request.signal)
  deadline.allow(request.timeoutMs)
  // Called as a plain function: a browser's fetch fails when `this` is another object.
  const send = request.fetch
  const response = await guarded(() =>
    send(url, { method, headers, body, signal: deadline.signal, redirect: 'manual' }),
  )
  if (!response.ok) {
    const error = await guarded(() => errorFrom(response))
    deadline.end()
    throw error
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
          'The answer is not a stream. Check that the base URL is the service itself.',
        )
      const parser = new EventParser()
      const decoder = new TextDecoder()
      const reader = response.body?.getReader()
      for (let open = true; open; ) {
        // The timer runs only while we wait for data, not while the caller handles a frame.
        deadline.allow(request.streamSilenceMs)
        const chunk = (await guarded(async () => reader?.read(), 'stream_cut'))?.value
        deadline.pause()
        open = chunk !== undefined
        const completed = await guarded(async () => parser.push(decoder.decode(chunk, { stream: open })))
        for (const data of completed) yield decodeFrame(response, data)
      }
      if (parser.unfinished) throw connectionError('stream_cut', 'it ended in the middle of a frame')
    } finally {
      deadline.end()
    }
  }

  async function guarded<T>(work: () => Promise<T>, code: ConnectionCode = 'network_error'): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const failure = explain(error, code)
      deadline.end()
      throw failure
    }
  }

  function explain(error: unknown, code: ConnectionCode): unknown {
    if (error instanceof CowrieError) return error
    if (deadline.expired)
      return new CowrieError({
        status: 0,
        code: 'timeout',
        message: `${originOf(url)} did not answer in time. Try again, or increase timeoutMs.`,
        cause: error,
      })
    return request.signal?.aborted ? request.signal.reason : connectionError(code, reasonOf(error), error)
  }

  function connectionError(code: ConnectionCode, reason: string, cause?: unknown): CowrieError {
    const event =
      code === 'stream_cut'
        ? `The stream from ${originOf(url)} was interrupted`
        : `${originOf(url)} cannot be reached`
    return new CowrieError({ status: 0, code, message: `${event}: ${reason}.`, cause })
  }
}

const originOf = (url: string): string => (url.startsWith('/') ? 'The service' : new URL(url).origin)

/** The error of a failed fetch says little; its cause has the reason. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(inner instanceof Error)) return 'the connection failed'
  return (inner.message || ('code' in inner ? String(inner.code) : inner.name)).replace(/\.$/, '')
}
