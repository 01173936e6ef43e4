// Sends one request and records its frames until the stream ends, the replica dies or the client disconnects.
import { fromJson, toJson } from '../../src/kernel/json.ts'

export type Frame = Record<string, unknown>

export type EventLog = {
  /** Null if there was no response. */
  readonly status: number | null
  readonly headers: Headers
  /** The frames of a stream, or the body as the only frame. */
  readonly frames: readonly Frame[]
  /** The raw text of the last frame or body. */
  readonly lastText: string
  /** The response ended normally: neither side disconnected. */
  readonly isWhole: boolean
}

export type RecordedCall = {
  readonly path: string
  readonly body: object
  readonly bearer: string
  readonly key: string | null
  readonly signal: AbortSignal
  readonly onFrame: (frame: Frame, count: number) => void
}

export async function callAndRecord(address: string, call: RecordedCall): Promise<EventLog> {
  const texts: string[] = []
  const frames: Frame[] = []
  let response: Response | undefined
  const eventLog = (isWhole: boolean): EventLog => ({
    status: response?.status ?? null,
    headers: response?.headers ?? new Headers(),
    frames,
    lastText: texts.at(-1) ?? '',
    isWhole,
  })
  try {
    response = await fetch(`${address}${call.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${call.bearer}`,
        'content-type': 'application/json',
        ...(call.key !== null && { 'idempotency-key': call.key }),
      },
      body: toJson(call.body),
      signal: call.signal,
    })
    for await (const text of textsOf(response)) {
      texts.push(text)
      frames.push(text === '[DONE]' ? { done: true } : (fromJson(text) as Frame))
      call.onFrame(frames.at(-1) as Frame, frames.length)
    }
    return eventLog(true)
  } catch (error) {
    if (isDisconnect(error) || call.signal.aborted) return eventLog(false)
    throw error
  }
}

/** A refused, reset or cut connection. Any other error is a bug of this program. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message)

async function* textsOf(response: Response): AsyncGenerator<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield await response.text()
    return
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield event.slice('data: '.length)
  }
}
