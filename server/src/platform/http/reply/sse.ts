// Server-sent events with a bound on everything: buffer, silence, and how long a slow reader may stall us.
import type { ServerResponse } from 'node:http'
import { toJson } from '../../../kernel/json.ts'

export const SLOW_READER_BYTES = 256 * 1024
const KEEP_ALIVE_MS = 10_000
const DRAIN_MS = 30_000
const PIECE_BYTES = 64 * 1024

/** Says nothing, so that nobody on the way takes the connection for dead. */
export const KEEP_ALIVE = ': keep-alive\n\n'

/** Why a stream ended, as the reason of its signal, when we go down. Otherwise the client went or was cut off. */
export const RESTARTING = 'restarting'

export type EventStream = {
  /** Sends one frame; resolves when the client can take more. Sending to a client that is gone does nothing. */
  send(frame: object): Promise<void>
  /** Sends bytes as they are: frames that were made elsewhere. */
  sendRaw(bytes: string | Uint8Array): Promise<void>
  /** How a refusal that cuts the stream is said to clients that speak another protocol than ours: as a frame, or as bytes. */
  formatErrors(words: (refusal: object) => object | string): void
  /** Aborts when the client has gone or was cut off. */
  readonly closed: AbortSignal
}

export type OpenEventStream = EventStream & {
  end(): void
  /** Says why with a last frame and ends, whoever is still writing. */
  cut(frame: object, reason?: string): void
}

/**
 * Starts the stream: headers leave at once. A reader that lets 256 KiB pile up, or takes nothing for 30 s while
 * more than the socket holds is waiting, is cut off: one stalled client must not cost memory for all.
 */
export function openEventStream(response: ServerResponse, headers: Record<string, string>): OpenEventStream {
  const gone = new AbortController()
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()

  const keepAlive = setInterval(() => void (long || write(KEEP_ALIVE)), KEEP_ALIVE_MS)
  keepAlive.unref()
  const leave = () => {
    clearInterval(keepAlive)
    gone.abort()
  }
  // A client that went before we began has been announced already, and is not announced again.
  if (response.closed || response.destroyed) leave()
  else response.on('close', leave)

  function write(text: string | Uint8Array): boolean {
    if (gone.signal.aborted || response.writableEnded) return true
    const roomLeft = response.write(text)
    if (response.writableLength > SLOW_READER_BYTES) {
      response.destroy()
      gone.abort()
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
        response.off('drain', done)
        response.off('close', done)
        draining = null
        resolve()
      }
      response.on('drain', done)
      response.on('close', done)
    })
    return draining
  }

  // A frame that is leaving in pieces. Nothing else is written in the middle of it.
  let long: Promise<void> | null = null
  const sendRaw = async (bytes: string | Uint8Array) => {
    while (long) await long
    if (bytes.length <= PIECE_BYTES) {
      if (!write(bytes) && !gone.signal.aborted) await drained()
      return
    }
    long = writeInChunks(Buffer.from(bytes)).finally(() => {
      long = null
    })
    await long
  }
  /** That something long does not fit into the socket at once is no fault of its reader. */
  async function writeInChunks(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !gone.signal.aborted; at += PIECE_BYTES)
      if (!write(bytes.subarray(at, at + PIECE_BYTES)) && !gone.signal.aborted) await drained()
  }
  return {
    closed: gone.signal,
    sendRaw,
    send: (frame) => sendRaw(frameText(frame)),
    formatErrors(words) {
      said = words
    },
    end,
    cut(frame, reason) {
      const words = said(frame)
      if (!long) write(typeof words === 'string' ? words : frameText(words))
      end()
      gone.abort(reason)
    },
  }

  function end(): void {
    clearInterval(keepAlive)
    if (!response.writableEnded) response.end()
  }
}

/** JSON has no raw line breaks, so no text of a model can forge a frame. */
export const frameText = (frame: object): string => `data: ${toJson(frame)}\n\n`
