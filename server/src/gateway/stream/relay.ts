// Relays a stream from the upstream to the client, byte for byte.
import { type Turn, throwIfShuttingDown } from '../../metering/metering.ts'
import { OutputLimit } from '../../platform/inference/completion/output-limit.ts'
import { LimitReached } from '../../platform/inference/http/deadlines.ts'
import type { UpstreamReply } from '../../platform/inference/http/send.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import type { Call } from '../gateway.ts'
import type { StreamCall } from '../model-call.ts'
import type { OutputText } from './output-text.ts'
import { Pace } from './pace.ts'
import type { SseFilter, StreamState } from './sse-filter.ts'

/** `stopped`: the client disconnected. `cut`: one of our limits ended it after some output. */
export type RelayEnding = 'complete' | 'stopped' | 'cut'

/** The time that a finished answer has to report its usage. */
const CLOSING_MS = 2_000
/** A bound of the raw stream: each token may come in its own event, with log probabilities. */
const ALL_BYTES_PER_TOKEN = 8 * 1024
const ALL_BYTES_BEYOND = 1024 * 1024

export async function relay(
  call: StreamCall,
  turn: Turn,
  reply: UpstreamReply,
  sieve: SseFilter,
): Promise<RelayEnding> {
  const { output } = call
  const requireEnd = createOutputLimit(turn)
  const pace = new Pace()
  let passedBytes = 0
  try {
    for (let isEnd = false; !isEnd && !sieve.isOver; ) {
      const bytes = sieve.seen.finish === null ? await readPaced(reply, pace) : await readTrailer(reply)
      isEnd = bytes === null
      for (const piece of bytes ? sieve.take(bytes) : sieve.finish()) {
        passedBytes += piece.length
        // Bytes before the first text are withheld: the upstream may still fail.
        if (sieve.written.length > 0) {
          pace.mark()
          await output.send(piece)
        } else await output.keep(piece)
      }
      requireEnd(sieve.written, passedBytes)
    }
    requireAnswer(sieve)
    // The answer is complete. The connection can be reused.
    reply.finish()
    return 'complete'
  } catch (error) {
    output.stop()
    return endingAfter(call, error, sieve.written.length > 0)
  } finally {
    reply.close()
  }
}

/** How an interrupted answer ended. Throws where it is an error. */
export function endingAfter(call: Call, error: unknown, isDelivered: boolean): 'stopped' | 'cut' {
  if (call.signal.aborted) {
    throwIfShuttingDown(call.signal)
    return 'stopped'
  }
  if (error instanceof LimitReached && isDelivered) return 'cut'
  throw error
}

/** The finish reason that the client gets. */
export const finishReason = (ending: RelayEnding, { finish }: StreamState): string =>
  ending === 'complete' ? (finish ?? 'stop') : ending === 'cut' ? 'length' : ending

/** Returns a check that throws when the output exceeds its ceiling. */
export function createOutputLimit({ outputCeiling }: Turn) {
  const bound = new OutputLimit(outputCeiling)
  const mostBytes = outputCeiling * ALL_BYTES_PER_TOKEN + ALL_BYTES_BEYOND
  return (written: Pick<OutputText, 'length' | 'text'>, allBytes: number): void => {
    bound.check(written.length, () => written.text)
    if (allBytes > mostBytes) throw new LimitReached('failed', 'it writes without an end')
  }
}

function requireAnswer({ seen, written }: SseFilter): void {
  if (seen.finish === null && !seen.isDone)
    throw new UpstreamFailed('failed', 'the upstream disconnected before the end of its answer')
  if (written.length === 0 && seen.finish !== 'length')
    throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
}

/** Reads what has arrived. A fast stream is read in larger pieces. */
export function readPaced(reply: UpstreamReply, pace: Pace): Promise<Buffer | null> {
  return pace.wait()?.then(() => reply.read()) ?? reply.read()
}

/** Reads after the finish reason. An error there is ignored. */
export async function readTrailer(reply: UpstreamReply): Promise<Buffer | null> {
  try {
    const chunk = reply.read()
    reply.limitRemaining(CLOSING_MS)
    return await chunk
  } catch (error) {
    if (error instanceof UpstreamFailed) return null
    throw error
  }
}
