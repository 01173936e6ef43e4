// Server-sent events with bounded buffers, keep-alive comments and a limit for slow readers.
import type { ServerResponse } from 'node:http'
import { toJson } from '../../../kernel/json.ts'
import { gzipSink, plainSink } from './compressed-stream.ts'
import type { StreamFormat } from './stream-format.ts'

export { KEEP_ALIVE } from './stream-format.ts'

export const SLOW_READER_BYTES = 256 * 1024
const KEEP_ALIVE_MS = 10_000
const DRAIN_MS = 30_000
const PIECE_BYTES = 64 * 1024

/** The abort reason of a stream that shutdown has ended. For any other reason, the client disconnected or was cut off. */
export const RESTARTING = 'restarting'

/** Created once: an abort without a reason creates an exception with a stack trace each time. */
const LEFT = new Error('the client has disconnected or was cut off')

export type EventStream = {
  /** Sends one frame. Resolves when the client can take more. Does nothing after the client has disconnected. */
  send(frame: object): Promise<void>
  /** Sends frames that are already encoded. */
  sendRaw(bytes: string | Uint8Array): Promise<void>
  /** Sets the format of the error that ends the stream, for clients of another protocol: a frame, or bytes. */
  formatErrors(words: (refusal: object) => object | string): void
  /** Aborts when the client has disconnected or was cut off. */
  readonly closed: AbortSignal
}

export type OpenEventStream = EventStream & {
  end(): void
  /** Sends the reason as the last frame and ends the stream, even during another write. */
  cut(frame: object, reason?: string): void
}

/**
 * Opens the stream and sends its headers. A reader with more than 256 KiB buffered, or that reads nothing for 30 s
 * while the socket is full, is cut off, so that a stalled client cannot use up memory.
 */
export function openEventStream(
  response: ServerResponse,
  headers: Record<string, string>,
  format: StreamFormat,
  encoding: 'gzip' | null = null,
): OpenEventStream {
  const gone = new AbortController()
  let isHeadSent = false
  response.writeHead(200, {
    ...headers,
    'content-type': format.contentType,
    ...(encoding && { 'content-encoding': encoding }),
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  // Frames of the same turn are sent with the headers.
  process.nextTick(() => {
    if (!isHeadSent) response.flushHeaders()
  })
  const sink = encoding && !response.closed ? gzipSink(response) : plainSink(response)
  let isEnded = false

  const keepAlive = setInterval(() => void (long || write(format.keepAlive)), KEEP_ALIVE_MS)
  keepAlive.unref()
  const leave = () => {
    clearInterval(keepAlive)
    gone.abort(LEFT)
  }
  // After an earlier disconnect there is no further close event.
  if (response.closed || response.destroyed) leave()
  else response.on('close', leave)

  function write(text: string | Uint8Array): boolean {
    if (gone.signal.aborted || isEnded || response.writableEnded) return true
    // Compressed frames come later than the headers.
    isHeadSent = encoding === null
    const roomLeft = sink.write(text)
    if (sink.pendingBytes > SLOW_READER_BYTES) {
      response.destroy()
      gone.abort(LEFT)
    }
    return roomLeft
  }

  let said = (refusal: object): object | string => refusal
  let draining: Promise<void> | null = null
  function drained(): Promise<void> {
    draining ??= new Promise((resolve) => {
      const stalled = setTimeout(() => response.destroy(), DRAIN_MS)
      const done = () => {
        clearTimeout(stalled)
        stopListening()
        response.off('close', done)
        draining = null
        resolve()
      }
      const stopListening = sink.onDrain(done)
      response.on('close', done)
    })
    return draining
  }

  // A large frame that is being written. No other frame may be written before its end.
  let long: Promise<void> | null = null
  let isEmpty = true
  const sendRaw = async (bytes: string | Uint8Array) => {
    while (long) await long
    isEmpty &&= bytes.length === 0 || bytes === format.keepAlive
    if (bytes.length <= PIECE_BYTES) {
      if (!write(bytes) && !gone.signal.aborted) await drained()
      return
    }
    long = writeInChunks(Buffer.from(bytes)).finally(() => {
      long = null
    })
    await long
  }
  /** A large frame must not exceed the slow-reader limit by itself. */
  async function writeInChunks(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !gone.signal.aborted; at += PIECE_BYTES)
      if (!write(bytes.subarray(at, at + PIECE_BYTES)) && !gone.signal.aborted) await drained()
  }
  return {
    closed: gone.signal,
    sendRaw,
    send: (frame) => sendRaw(format.frame(frame)),
    formatErrors(words) {
      said = words
    },
    end,
    cut(frame, reason) {
      const words = said(frame)
      if (!long) write(typeof words === 'string' ? words : format.errorEnd(toJson(words), isEmpty))
      end()
      gone.abort(reason ?? LEFT)
    },
  }

  function end(): void {
    clearInterval(keepAlive)
    if (!isEnded) sink.end()
    isEnded = true
    isHeadSent = true
  }
}
