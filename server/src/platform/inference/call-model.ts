// Calls a model of any provider.
import type { App } from '../app.ts'
import type { Wire } from '../wires/wire.ts'
import { AnswerBuilder } from './completion/answer-builder.ts'
import { type ChunkRead, readChunk } from './completion/completion-chunk.ts'
import { adaptDialect, type Dialect, getDialect, rememberDialect } from './completion/request-dialect.ts'
import { SseReader } from './completion/sse-reader.ts'
import {
  type ChunkReader,
  createChunkReader,
  foreignWire,
  writeForeignRequest,
} from './completion/wire-chunks.ts'
import { LimitReached } from './http/deadlines.ts'
import { sendUpstream, type UpstreamReply } from './http/send.ts'
import { type ModelAnswer, type ModelRequest, UpstreamFailed } from './model-request.ts'
import { estimateMaxPromptTokens } from './tokens/count-tokens.ts'

const ADAPTATIONS_MAX = 2
const REJECTION_BYTES_MAX = 64 * 1024
const WHOLE_BYTES_MAX = 16 * 1024 * 1024
// The time to wait for the usage event after the answer has ended.
const TRAILER_MS = 2_000

/** Calls a model. Throws only `UpstreamFailed`. Always ends within the configured timeouts. */
export async function callModel(app: App, request: ModelRequest): Promise<ModelAnswer> {
  const builder = new AnswerBuilder(request, Buffer.byteLength(JSON.stringify(request.messages)))
  try {
    const reply = await sendRequest(app, request)
    try {
      await readAnswer(reply, builder, request)
    } finally {
      reply.close()
    }
    const answer = builder.toFinalAnswer()
    if (builder.hasImplausibleUsage && answer.used.countedBy === 'us')
      app.log.warn({ model: request.model }, 'inference.usage.implausible')
    return answer
  } catch (error) {
    if (request.signal.aborted) return builder.toStoppedAnswer()
    // One of our limits ended the call. The text received so far is a truncated answer.
    if (error instanceof LimitReached && builder.hasText) return builder.toTruncatedAnswer()
    throw error
  }
}

/** Sends the request in the known dialect of the model. A rejected field name is replaced and the request sent again. */
async function sendRequest(app: App, request: ModelRequest): Promise<UpstreamReply> {
  const wire = foreignWire(request.target)
  if (wire) return sendForeign(app, request, wire)
  const { target, signal, messages, model, retries } = request
  let dialect = getDialect(app.clock, target.baseUrl, model)
  for (let adaptations = 0; ; adaptations++) {
    const body = JSON.stringify(toRequestBody(request, dialect))
    const promptTokens = estimateMaxPromptTokens(messages)
    const reply = await sendUpstream(app, target, '/chat/completions', body, {
      signal,
      promptTokens,
      retries,
    })
    if (reply.status < 300) {
      if (adaptations > 0) rememberDialect(app.clock, target.baseUrl, model, dialect)
      return reply
    }
    const adapted = adaptDialect(dialect, await readAtMost(reply, REJECTION_BYTES_MAX))
    if (!adapted || adaptations === ADAPTATIONS_MAX) throw toRejection(app, request, reply.status)
    dialect = adapted
  }
}

async function sendForeign(app: App, request: ModelRequest, wire: Wire): Promise<UpstreamReply> {
  const { target, signal, messages, retries } = request
  const { path, body } = writeForeignRequest(wire, request)
  const promptTokens = estimateMaxPromptTokens(messages)
  const options = { signal, promptTokens, retries }
  const reply = await sendUpstream(app, target, path, JSON.stringify(body), options)
  if (reply.status < 300) return reply
  await readAtMost(reply, REJECTION_BYTES_MAX)
  throw toRejection(app, request, reply.status)
}

function toRequestBody(
  { model, messages, maxOutputTokens }: ModelRequest,
  { maxTokensField, requestsUsage }: Dialect,
) {
  return {
    model,
    messages,
    [maxTokensField]: maxOutputTokens,
    stream: true,
    ...(requestsUsage && { stream_options: { include_usage: true } }),
  }
}

/** The error text of the upstream is not logged or shown, because it may quote the prompt. */
function toRejection(app: App, { model }: ModelRequest, status: number): UpstreamFailed {
  app.log.error({ status, model }, 'inference.request.rejected')
  // An unknown model or path is a wrong setting that an operator can correct.
  const kind = status === 404 || status === 405 ? 'unavailable' : 'failed'
  return new UpstreamFailed(kind, `the upstream rejected the request with status ${status}`)
}

async function readAnswer(
  reply: UpstreamReply,
  builder: AnswerBuilder,
  request: ModelRequest,
): Promise<void> {
  const first = await reply.read()
  if (!first) return
  // Some upstreams return one JSON object although a stream was requested.
  if (!foreignWire(request.target) && /^\uFEFF?\s*[{[]/.test(first.subarray(0, 64).toString())) {
    const whole = await readAtMost(reply, WHOLE_BYTES_MAX, first)
    await handleEvents([readChunk(whole)], builder, request)
    return
  }
  await readEvents(reply, first, builder, request)
}

async function readEvents(
  reply: UpstreamReply,
  first: Buffer,
  builder: AnswerBuilder,
  request: ModelRequest,
): Promise<void> {
  const reader = new SseReader()
  const chunks = createChunkReader(request.target)
  const read = (data: string) => chunks.read(data)
  for (let chunk: Buffer | null = first; chunk; ) {
    if (await handleEvents(reader.push(chunk).values().map(read), builder, request)) {
      reply.finish()
      return
    }
    chunk = builder.hasFinish ? await readTrailer(reply) : await reply.read()
  }
  const isDone = await handleLastEvents(lastEvents(reader, chunks), builder, request)
  if (!isDone && !builder.hasFinish)
    throw new UpstreamFailed('failed', 'the upstream disconnected before the end of its answer')
}

function* lastEvents(reader: SseReader, chunks: ChunkReader): Generator<ChunkRead> {
  for (const data of reader.end()) yield chunks.read(data)
  yield chunks.end()
}

/** Reads after the end of the text. A failure no longer matters. */
async function readTrailer(reply: UpstreamReply): Promise<Buffer | null> {
  try {
    const chunk = reply.read()
    reply.limitRemaining(TRAILER_MS)
    return await chunk
  } catch (error) {
    if (error instanceof UpstreamFailed) return null
    throw error
  }
}

/** A truncated last event is ignored when the answer itself is complete. */
async function handleLastEvents(
  events: Iterable<ChunkRead>,
  builder: AnswerBuilder,
  request: ModelRequest,
): Promise<boolean> {
  try {
    return await handleEvents(events, builder, request)
  } catch (error) {
    if (error instanceof UpstreamFailed && builder.hasFinish) return true
    throw error
  }
}

/** Returns true when the upstream has marked the end of the stream. */
async function handleEvents(
  events: Iterable<ChunkRead>,
  builder: AnswerBuilder,
  { onText, signal }: ModelRequest,
): Promise<boolean> {
  for (const read of events) {
    if (read.kind === 'done') return true
    if (read.kind === 'error')
      throw new UpstreamFailed(
        read.isBusy && !builder.hasText ? 'unavailable' : 'failed',
        'the upstream returned an error event',
      )
    if (read.kind !== 'chunk') continue
    const text = builder.add(read.chunk)
    if (text && onText) await waitUnlessAborted(signal, onText(text))
  }
  return false
}

/** Waits for the reader of the text. Rejects as soon as the call is aborted. */
async function waitUnlessAborted(signal: AbortSignal, reading: void | Promise<void>): Promise<void> {
  signal.throwIfAborted()
  if (!reading) return
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(new Error('the caller aborted the request'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([reading, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function readAtMost(reply: UpstreamReply, bytesMax: number, ...chunks: Buffer[]): Promise<string> {
  let bytes = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) throw new UpstreamFailed('failed', 'the response of the upstream is too large')
  }
  return Buffer.concat(chunks).toString()
}
