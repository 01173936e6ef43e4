// One call over a socket, heard frame by frame, up to its end, the end of the replica, or ours.
import { fromJson, toJson } from '../../src/kernel/json.ts'

export type Frame = Record<string, unknown>

export type EventLog = {
  /** Null when nobody answered. */
  readonly status: number | null
  readonly headers: Headers
  /** The frames of a stream; otherwise the body alone. */
  readonly frames: readonly Frame[]
  /** Its last frame or body, as it was written. */
  readonly lastText: string
  /** It ended by itself: neither the replica nor we went away. */
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
  const heard = (isWhole: boolean): EventLog => ({
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
    return heard(true)
  } catch (error) {
    if (isGone(error) || call.signal.aborted) return heard(false)
    throw error
  }
}

/** A connection that was refused, reset or cut. Anything else is a fault of this program. */
const isGone = (error: unknown): boolean =>
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
