// A stream from the upstream to whoever listens, byte for byte, until its end or theirs.
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { BoundReached } from '../platform/inference/patience.ts'
import type { UpstreamReply } from '../platform/inference/send.ts'
import { type Call, requireBound, requireOurPatience } from './gateway.ts'
import type { Listener } from './listener.ts'
import type { Seen, Sieve } from './sieve.ts'

/** `stopped`: whoever listened wanted no more. `cut`: a bound of ours ended it, after something had been delivered. */
export type Ending = 'complete' | 'stopped' | 'cut'

/** An answer that has ended is waited for no longer than this to say what it used. */
const CLOSING_MS = 2_000
/** Hardly any text has so many bytes per token; whoever writes more does not keep to the ceiling. */
const TEXT_BYTES_PER_TOKEN = 64
const TEXT_BYTES_BEYOND = 64 * 1024
/** What holds the text together has a bound too: each token may come in an event of its own, with probabilities. */
const ALL_BYTES_PER_TOKEN = 8 * 1024
const ALL_BYTES_BEYOND = 1024 * 1024

export async function relay(
  app: App,
  call: Call,
  turn: Turn,
  reply: UpstreamReply,
  sieve: Sieve,
  listener: Listener,
): Promise<Ending> {
  let passedBytes = 0
  try {
    for (let isEnd = false; !isEnd && !sieve.isOver; ) {
      const bytes = sieve.seen.finish === null ? await reply.read() : await lastWords(reply)
      isEnd = bytes === null
      for (const piece of bytes ? sieve.take(bytes) : sieve.finish()) {
        if (call.route.isBound) requireBoundIn(app, call, piece)
        passedBytes += piece.length
        // Up to the first word it may still turn out to be no answer at all.
        await (sieve.written.length > 0 ? listener.send(piece) : listener.keep(piece))
      }
      requireEnd(turn, sieve.written.length, passedBytes)
    }
    requireAnswer(sieve)
    // It has said all; the connection serves the next call.
    reply.finish()
    return 'complete'
  } catch (error) {
    listener.forget()
    return endingBy(call, error, sieve.written.length > 0)
  } finally {
    reply.close()
  }
}

/** What it means that an answer did not come to its own end. Throws where it means that there is none. */
export function endingBy(call: Call, error: unknown, isDelivered: boolean): 'stopped' | 'cut' {
  if (call.signal.aborted) {
    requireOurPatience(call)
    return 'stopped'
  }
  if (error instanceof BoundReached && isDelivered) return 'cut'
  throw error
}

/** How an answer that ended like this is said to have finished. */
export const finishOf = (ending: Ending, { finish }: Seen): string =>
  ending === 'complete' ? (finish ?? 'stop') : ending === 'cut' ? 'length' : ending

/** Whoever writes more than was asked for is stopped. */
export function requireEnd({ outputCeiling }: Turn, textBytes: number, allBytes: number): void {
  const isLong =
    textBytes > outputCeiling * TEXT_BYTES_PER_TOKEN + TEXT_BYTES_BEYOND ||
    allBytes > outputCeiling * ALL_BYTES_PER_TOKEN + ALL_BYTES_BEYOND
  if (isLong) throw new BoundReached('failed', 'it writes without an end')
}

function requireAnswer({ seen, written }: Sieve): void {
  if (seen.finish === null) throw new UpstreamFailed('failed', 'it broke off in the middle of its answer')
  if (written.length === 0 && seen.finish !== 'length')
    throw new UpstreamFailed('failed', 'it answered with nothing')
}

/** After the end of the text. Whether it goes on to say anything is no longer important. */
export async function lastWords(reply: UpstreamReply): Promise<Buffer | null> {
  try {
    const chunk = reply.read()
    reply.hurry(CLOSING_MS)
    return await chunk
  } catch (error) {
    if (error instanceof UpstreamFailed) return null
    throw error
  }
}

function requireBoundIn(app: App, call: Call, piece: Buffer): void {
  for (const [, model] of piece.toString().matchAll(/"model"\s*:\s*"([^"]*)"/g))
    requireBound(app, call, model)
}
