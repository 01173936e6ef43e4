// A model behind an OpenAI-compatible service.
import type { App } from '../app.ts'
import { AnswerBuilder } from './completion/answer-builder.ts'
import { readChunk } from './completion/completion-chunk.ts'
import { adaptDialect, type Dialect, getDialect, rememberDialect } from './completion/request-dialect.ts'
import { SseReader } from './completion/sse-reader.ts'
import { LimitReached } from './http/deadlines.ts'
import { sendUpstream, type UpstreamReply } from './http/send.ts'
import { type ModelAnswer, type ModelRequest, UpstreamFailed } from './model-request.ts'
import { estimateMaxPromptTokens } from './tokens/count-tokens.ts'

const ADAPTATIONS_MAX = 2
const REJECTION_BYTES_MAX = 64 * 1024
const WHOLE_BYTES_MAX = 16 * 1024 * 1024
// An answer that has ended is waited for no longer than this to say what it used.
const TRAILER_MS = 2_000

/** Asks a model. Throws `UpstreamFailed` and no other error; ends in bounded time whatever the upstream does. */
export async function callModel(app: App, question: ModelRequest): Promise<ModelAnswer> {
  const draft = new AnswerBuilder(question, Buffer.byteLength(JSON.stringify(question.messages)))
  try {
    const reply = await sendRequest(app, question)
    try {
      await readAnswer(reply, draft, question)
    } finally {
      reply.close()
    }
    const answer = draft.toFinalAnswer()
    if (draft.hasImplausibleUsage && answer.used.countedBy === 'us')
      app.log.warn({ model: question.model }, 'inference.usage.implausible')
    return answer
  } catch (error) {
    if (question.signal.aborted) return draft.toStoppedAnswer()
    // A bound of ours ended it: what was said by then is an answer that was cut.
    if (error instanceof LimitReached && draft.hasText) return draft.toTruncatedAnswer()
    throw error
  }
}

/** Asks in the way this model is known to understand; a refusal of a word is answered with another word. */
async function sendRequest(app: App, question: ModelRequest): Promise<UpstreamReply> {
  const { target, signal, messages, model } = question
  let dialect = getDialect(app.clock, target.baseUrl, model)
  for (let lessons = 0; ; lessons++) {
    const body = JSON.stringify(toRequestBody(question, dialect))
    const promptTokens = estimateMaxPromptTokens(messages)
    const reply = await sendUpstream(app, target, '/chat/completions', body, { signal, promptTokens })
    if (reply.status < 300) {
      if (lessons > 0) rememberDialect(app.clock, target.baseUrl, model, dialect)
      return reply
    }
    const lesson = adaptDialect(dialect, await readAtMost(reply, REJECTION_BYTES_MAX))
    if (!lesson || lessons === ADAPTATIONS_MAX) throw toRejection(app, question, reply.status)
    dialect = lesson
  }
}

function toRequestBody(
  { model, messages, maxOutputTokens }: ModelRequest,
  { maxTokensField: ceilingField, requestsUsage: asksUsage }: Dialect,
) {
  return {
    model,
    messages,
    [ceilingField]: maxOutputTokens,
    stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }),
  }
}

/** What it says is not repeated: it may quote the prompt. */
function toRejection(app: App, { model }: ModelRequest, status: number): UpstreamFailed {
  app.log.error({ status, model }, 'inference.request.rejected')
  // Where there is no such model or address, a setting is wrong and will be put right.
  const kind = status === 404 || status === 405 ? 'unavailable' : 'failed'
  return new UpstreamFailed(kind, `the upstream refuses the request with status ${status}`)
}

async function readAnswer(reply: UpstreamReply, draft: AnswerBuilder, question: ModelRequest): Promise<void> {
  const first = await reply.read()
  if (!first) return
  // Some answer at once although they were asked to stream.
  if (/^\uFEFF?\s*[{[]/.test(first.subarray(0, 64).toString())) {
    await handleEvents([await readAtMost(reply, WHOLE_BYTES_MAX, first)], draft, question)
    return
  }
  await readEvents(reply, first, draft, question)
}

async function readEvents(
  reply: UpstreamReply,
  first: Buffer,
  draft: AnswerBuilder,
  question: ModelRequest,
): Promise<void> {
  const reader = new SseReader()
  for (let chunk: Buffer | null = first; chunk; ) {
    if (await handleEvents(reader.push(chunk), draft, question)) {
      reply.finish()
      return
    }
    chunk = draft.hasFinish ? await readTrailer(reply) : await reply.read()
  }
  const isDone = await handleLastEvents(reader, draft, question)
  if (!isDone && !draft.hasFinish)
    throw new UpstreamFailed('failed', 'the upstream broke off in the middle of its answer')
}

/** After the end of the text. Whether it goes on to say anything is no longer important. */
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

/** An event that the end of the bytes cut says nothing any more once the answer itself is complete. */
async function handleLastEvents(
  reader: SseReader,
  draft: AnswerBuilder,
  question: ModelRequest,
): Promise<boolean> {
  try {
    return await handleEvents(reader.end(), draft, question)
  } catch (error) {
    if (error instanceof UpstreamFailed && draft.hasFinish) return true
    throw error
  }
}

/** True when the upstream says that nothing follows. */
async function handleEvents(
  events: readonly string[],
  draft: AnswerBuilder,
  { onText, signal }: ModelRequest,
): Promise<boolean> {
  for (const data of events) {
    const read = readChunk(data)
    if (read.kind === 'done') return true
    if (read.kind === 'error')
      throw new UpstreamFailed(
        read.isBusy && !draft.hasText ? 'unavailable' : 'failed',
        'the upstream reports an error instead of an answer',
      )
    if (read.kind !== 'chunk') continue
    const text = draft.add(read.chunk)
    if (text && onText) await waitUnlessAborted(signal, onText(text))
  }
  return false
}

/** Waits for whoever hears the text, but not after they have gone. */
async function waitUnlessAborted(signal: AbortSignal, heard: void | Promise<void>): Promise<void> {
  signal.throwIfAborted()
  if (!heard) return
  const gone = Promise.withResolvers<never>()
  const leave = () => gone.reject(new Error('whoever asked has gone'))
  signal.addEventListener('abort', leave, { once: true })
  try {
    await Promise.race([heard, gone.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

async function readAtMost(reply: UpstreamReply, bytesMax: number, ...chunks: Buffer[]): Promise<string> {
  let bytes = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) throw new UpstreamFailed('failed', 'the upstream sent too much')
  }
  return Buffer.concat(chunks).toString()
}
