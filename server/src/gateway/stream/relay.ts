// A stream from the upstream to whoever listens, byte for byte, until its end or theirs.
import { type Turn, throwIfShuttingDown } from '../../metering/metering.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { OutputBound } from '../../platform/inference/output-bound.ts'
import { BoundReached } from '../../platform/inference/patience.ts'
import type { UpstreamReply } from '../../platform/inference/send.ts'
import type { Call } from '../gateway.ts'
import type { StreamCall } from '../model-call.ts'
import type { OutputText } from './output-text.ts'
import type { SseFilter, StreamState } from './sse-filter.ts'

/** `stopped`: whoever listened wanted no more. `cut`: a bound of ours ended it, after something had been delivered. */
export type RelayEnding = 'complete' | 'stopped' | 'cut'

/** An answer that has ended is waited for no longer than this to say what it used. */
const CLOSING_MS = 2_000
/** What holds the text together has a bound too: each token may come in an event of its own, with probabilities. */
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
  let passedBytes = 0
  try {
    for (let isEnd = false; !isEnd && !sieve.isOver; ) {
      const bytes = sieve.seen.finish === null ? await reply.read() : await readTrailer(reply)
      isEnd = bytes === null
      for (const piece of bytes ? sieve.take(bytes) : sieve.finish()) {
        passedBytes += piece.length
        // Up to the first word it may still turn out to be no answer at all.
        await (sieve.written.length > 0 ? output.send(piece) : output.keep(piece))
      }
      requireEnd(sieve.written, passedBytes)
    }
    requireAnswer(sieve)
    // It has said all; the connection serves the next call.
    reply.finish()
    return 'complete'
  } catch (error) {
    output.stop()
    return endingAfter(call, error, sieve.written.length > 0)
  } finally {
    reply.close()
  }
}

/** What it means that an answer did not come to its own end. Throws where it means that there is none. */
export function endingAfter(call: Call, error: unknown, isDelivered: boolean): 'stopped' | 'cut' {
  if (call.signal.aborted) {
    throwIfShuttingDown(call.signal)
    return 'stopped'
  }
  if (error instanceof BoundReached && isDelivered) return 'cut'
  throw error
}

/** How an answer that ended like this is said to have finished. */
export const finishReason = (ending: RelayEnding, { finish }: StreamState): string =>
  ending === 'complete' ? (finish ?? 'stop') : ending === 'cut' ? 'length' : ending

/** Ends an answer that is longer than was asked for. */
export function createOutputLimit({ outputCeiling }: Turn) {
  const bound = new OutputBound(outputCeiling)
  const mostBytes = outputCeiling * ALL_BYTES_PER_TOKEN + ALL_BYTES_BEYOND
  return (written: Pick<OutputText, 'length' | 'text'>, allBytes: number): void => {
    bound.require(written.length, () => written.text)
    if (allBytes > mostBytes) throw new BoundReached('failed', 'it writes without an end')
  }
}

function requireAnswer({ seen, written }: SseFilter): void {
  if (seen.finish === null && !seen.isDone)
    throw new UpstreamFailed('failed', 'it broke off in the middle of its answer')
  if (written.length === 0 && seen.finish !== 'length')
    throw new UpstreamFailed('failed', 'it answered with nothing')
}

/** After the end of the text. Whether it goes on to say anything is no longer important. */
export async function readTrailer(reply: UpstreamReply): Promise<Buffer | null> {
  try {
    const chunk = reply.read()
    reply.hurry(CLOSING_MS)
    return await chunk
  } catch (error) {
    if (error instanceof UpstreamFailed) return null
    throw error
  }
}
