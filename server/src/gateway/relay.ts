// A stream from the upstream to whoever listens, byte for byte, until its end or theirs.
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { UpstreamReply } from '../platform/inference/send.ts'
import { type Call, requireBound, requireOurPatience } from './gateway.ts'
import type { Listener } from './listener.ts'
import type { Sieve } from './sieve.ts'

/** `stopped`: whoever listened wanted no more. */
export type Ending = 'complete' | 'stopped'

/** An answer that has ended is waited for no longer than this to say what it used. */
const CLOSING_MS = 2_000
/** No text has so many bytes per token; whoever writes more does not keep to the ceiling. */
const BYTES_PER_TOKEN_MAX = 32
const BYTES_BEYOND = 64 * 1024

export async function relay(
  app: App,
  call: Call,
  turn: Turn,
  reply: UpstreamReply,
  sieve: Sieve,
  listener: Listener,
): Promise<Ending> {
  const bytesMax = turn.outputCeiling * BYTES_PER_TOKEN_MAX + BYTES_BEYOND
  try {
    for (let isEnd = false; !isEnd && !sieve.isOver; ) {
      const bytes = sieve.seen.finish === null ? await reply.read() : await lastWords(reply)
      isEnd = bytes === null
      for (const piece of bytes ? sieve.take(bytes) : sieve.finish()) {
        if (call.route.isBound) requireBoundIn(app, call, piece)
        // Up to the first word it may still turn out to be no answer at all.
        if (sieve.written.length > 0) await listener.send(piece)
        else listener.keep(piece)
      }
      if (sieve.written.length > bytesMax) throw new UpstreamFailed('failed', 'it writes without an end')
    }
    requireAnswer(sieve)
    return 'complete'
  } catch (error) {
    listener.forget()
    if (!call.signal.aborted) throw error
    requireOurPatience(call)
    return 'stopped'
  } finally {
    reply.close()
  }
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
