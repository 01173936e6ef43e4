// Bodies that are longer than memory: sent piece by piece, no faster than their reader takes them.
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

export type Chunks = AsyncIterable<string | Uint8Array>

export const isChunks = (body: unknown): body is Chunks =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

export type DownloadResult = {
  /** What the source of the pieces failed with; undefined when it did not. */
  readonly error?: unknown
}

/**
 * Sends all pieces after a head that is written already, and ends the answer. Where that cannot be done, or `cut` aborts, the
 * connection is destroyed instead: a file that was cut must not be taken for a whole one. Never throws.
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
  try {
    await pipeline(watched, response, { signal: cut })
  } catch {
    // Whoever has gone has nothing to be told, and a fault of the source is in `faults`.
    response.destroy()
  }
  return faults.length > 0 ? { error: faults[0] } : {}
}
