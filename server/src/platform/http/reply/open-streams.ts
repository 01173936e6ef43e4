// The open event streams and downloads of this process: limits per caller, and graceful shutdown.
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { Actor } from '../actor.ts'
import type { Route } from '../route.ts'
import { negotiate } from './content-encoding.ts'
import { type Chunks, type DownloadResult, sendChunks } from './download.ts'
import { errorFrame } from './error-format.ts'
import { type OpenEventStream, openEventStream, RESTARTING } from './sse.ts'
import { type StreamFormat, streamFormatOf } from './stream-format.ts'

const PER_CALLER = 20
const DONE_WITHIN_MS = 10_000
/** Compression takes 130 kB per stream. Further streams are sent as they are. */
const COMPRESSED_MAX = 500

export type OpenStreams = {
  open(route: Route, request: FastifyRequest, reply: FastifyReply, actor: Actor | null): OpenEventStream
  release(actor: Actor | null): void
  /** Sends a large body within the timeout of its route. */
  download(route: Route, response: ServerResponse, pieces: Chunks): Promise<DownloadResult>
  /**
   * Ends every stream with a frame that asks clients to reconnect, and aborts every download, also those that begin later.
   * `onEnd` is called when the last bytes of a stream are sent, where that takes a moment.
   */
  closeAll(onEnd: () => void): void
  /** Registers work that may continue after its client disconnects. Shutdown waits for it up to a limit. */
  track<T>(work: Promise<T>): Promise<T>
  waitForTracked(): Promise<void>
  readonly count: number
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<OpenEventStream, StreamFormat>()
  const perCaller = new Map<string, number>()
  const underWay = new Set<Promise<unknown>>()
  const downloads = new Set<AbortController>()
  let compressed = 0
  let onLastBytes: (() => void) | undefined
  let isClosing = false
  const encodingFor = (route: Route, { headers }: FastifyRequest) =>
    route.isStreamCompressed && compressed < COMPRESSED_MAX
      ? negotiate(String(headers['accept-encoding'] ?? ''), ['gzip'])
      : null
  const callerOf = (actor: Actor | null) => actor?.keyId ?? actor?.userId ?? 'nobody'

  return {
    get count() {
      return open.size
    },

    open(route, request, reply, actor) {
      const caller = callerOf(actor)
      const mine = perCaller.get(caller) ?? 0
      if (mine >= PER_CALLER) throw new ApiError('too_many_streams')
      perCaller.set(caller, mine + 1)

      reply.hijack()
      const headers = Object.fromEntries(
        Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
      )
      const format = streamFormatOf(request.url, request.headers)
      const encoding = encodingFor(route, request)
      const stream = openEventStream(reply.raw, headers, format, encoding)
      open.set(stream, format)
      if (encoding) compressed++
      if (encoding || isClosing) reply.raw.once('close', () => onLastBytes?.())
      const limit = setTimeout(
        () => stream.cut(errorFrame(new ApiError('stream_expired'), format.errors)),
        route.timeoutMs,
      )
      const forget = () => {
        clearTimeout(limit)
        open.delete(stream)
        if (encoding) compressed--
      }
      // The client may have disconnected before the stream opened.
      if (stream.closed.aborted) forget()
      else stream.closed.addEventListener('abort', forget)
      // Its request began before the shutdown.
      if (isClosing) cutForRestart(stream, format)
      return stream
    },

    release(actor) {
      const caller = callerOf(actor)
      const left = (perCaller.get(caller) ?? 1) - 1
      if (left > 0) perCaller.set(caller, left)
      else perCaller.delete(caller)
    },

    async download(route, response, pieces) {
      const stop = new AbortController()
      const limit = setTimeout(() => stop.abort(), route.timeoutMs)
      downloads.add(stop)
      if (isClosing) stop.abort()
      try {
        return await sendChunks(response, pieces, stop.signal)
      } finally {
        clearTimeout(limit)
        downloads.delete(stop)
      }
    },

    track(work) {
      underWay.add(work)
      const over = () => void underWay.delete(work)
      work.then(over, over)
      return work
    },

    async waitForTracked() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, DONE_WITHIN_MS)
      await Promise.race([Promise.allSettled(underWay), late.promise])
      clearTimeout(timer)
    },

    closeAll(onEnd) {
      isClosing = true
      for (const stop of downloads) stop.abort()
      onLastBytes = onEnd
      for (const [stream, format] of open) cutForRestart(stream, format)
    },
  }
}

const cutForRestart = (stream: OpenEventStream, { errors }: StreamFormat): void =>
  stream.cut(errorFrame(new ApiError('restarting'), errors), RESTARTING)
