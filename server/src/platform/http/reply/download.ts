// Large bodies: sent in chunks, with backpressure.
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

export type Chunks = AsyncIterable<string | Uint8Array>

export const isChunks = (body: unknown): body is Chunks =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

export type DownloadResult = {
  /** The error of the source; undefined when there was none. */
  readonly error?: unknown
}

/**
 * Sends all chunks after the head, and ends the response. On an error, or when `cut` aborts, it destroys the connection,
 * so that the client does not take a partial file for a complete one. Does not wait for a source that is silent after that.
 * Never throws.
 */
export async function sendChunks(
  response: ServerResponse,
  pieces: Chunks,
  cut: AbortSignal,
): Promise<DownloadResult> {
  const faults: unknown[] = []
  async function* watched() {
    try {
      yield* pieces
    } catch (error) {
      faults.push(error)
      throw error
    }
  }
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(cut.reason)
  if (cut.aborted) abort()
  else cut.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([pipeline(watched, response, { signal: cut }), aborted.promise])
  } catch {
    // The client disconnected, or the source failed: its error is in `faults`.
    response.destroy()
  }
  return faults.length > 0 ? { error: faults[0] } : {}
}
