// Compression of event streams: each burst of frames is compressed and sent at once, with the earlier frames as context.
import type { ServerResponse } from 'node:http'
import { constants, createGzip } from 'node:zlib'

/** Takes the frames of a stream: the response, or its compression. */
export type FrameSink = {
  /** False if the reader is behind; `onDrain` tells when it has caught up. */
  write(bytes: string | Uint8Array): boolean
  end(): void
  onDrain(listener: () => void): () => void
  /** Bytes that the reader has not taken yet. */
  readonly pendingBytes: number
}

/** A fifth of the bytes. The usual window of 32 kB would take 100 kB more for each stream, and save another 5 %. */
const OPTIONS = {
  windowBits: 13,
  memLevel: 5,
  level: 9,
  chunkSize: 4_096,
  flush: constants.Z_SYNC_FLUSH,
}

export const plainSink = (response: ServerResponse): FrameSink => ({
  write: (bytes) => response.write(bytes),
  end: () => void response.end(),
  onDrain: (listener) => listen(response, listener),
  get pendingBytes() {
    return response.writableLength
  },
})

/** Frames that are written in one turn of the event loop are compressed together. */
export function gzipSink(response: ServerResponse): FrameSink {
  const gzip = createGzip(OPTIONS)
  let burst: (string | Uint8Array)[] = []
  let burstBytes = 0
  let scheduled: NodeJS.Immediate | undefined
  gzip.pipe(response)
  gzip.on('error', () => response.destroy())
  // Frees the memory of the compression at once.
  response.on('close', () => {
    clearImmediate(scheduled)
    gzip.destroy()
  })

  function flush(): void {
    clearImmediate(scheduled)
    scheduled = undefined
    if (burst.length === 0 || gzip.destroyed) return
    const bytes = burst.length === 1 ? burst[0] : Buffer.concat(burst.map((piece) => Buffer.from(piece)))
    burst = []
    burstBytes = 0
    gzip.write(bytes)
  }

  return {
    write(bytes) {
      burst.push(bytes)
      burstBytes += bytes.length
      if (burstBytes >= BURST_BYTES_MAX) flush()
      else scheduled ??= setImmediate(flush)
      return !gzip.writableNeedDrain
    },
    end() {
      flush()
      gzip.end()
    },
    onDrain: (listener) => listen(gzip, listener),
    get pendingBytes() {
      return burstBytes + gzip.writableLength + gzip.readableLength + response.writableLength
    },
  }
}

const BURST_BYTES_MAX = 16 * 1024

function listen(stream: NodeJS.EventEmitter, listener: () => void): () => void {
  stream.on('drain', listener)
  return () => void stream.off('drain', listener)
}
