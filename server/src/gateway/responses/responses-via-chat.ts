// Answers a Responses API request through a chat completion.
import type { Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { parseChunk } from '../../platform/inference/completion/completion-chunk.ts'
import { SseReader } from '../../platform/inference/completion/sse-reader.ts'
import type { UpstreamReply } from '../../platform/inference/http/send.ts'
import { countTokens, UpstreamFailed } from '../../platform/inference/inference.ts'
import { type Chunk, noteChunk } from '../chat/chat-grammar.ts'
import { ToolCalls } from '../chat/tool-calls.ts'
import { type Call, requirePinnedModel } from '../gateway.ts'
import type { ResponsesRequest } from '../schema.ts'
import {
  createOutputLimit,
  endingAfter,
  finishReason,
  type RelayEnding,
  readTrailer,
} from '../stream/relay.ts'
import { newStreamState, type StreamState } from '../stream/sse-filter.ts'
import { asStream, completionEvents } from '../stream/whole-as-stream.ts'
import { askChat } from '../upstream/upstream-call.ts'
import { type CountedUsage, countUsage } from '../upstream/usage-count.ts'
import { toChat } from './response-request.ts'
import type { Delta, ResponseWriter } from './response-writer.ts'

export type ChatOutcome = { readonly used: CountedUsage | null; readonly finish: string }
type OnDelta = (delta: Delta) => Promise<void>

export async function respondViaChat(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  hear: OnDelta,
  writer: ResponseWriter,
): Promise<ChatOutcome> {
  const body = toChat(asked)
  const ask = { outputCeiling: turn.outputCeiling, isStream: true }
  const { reply, requestBytes } = await askChat(app, call, body, ask)
  const seen = newStreamState()
  const stream = await asStream(reply, completionEvents)
  const ending = await readChunks(app, call, turn, stream, seen, hear, writer)
  if (ending === 'stopped' && writer.text === '') return { used: null, finish: 'stopped' }
  if (writer.text === '' && seen.finish !== 'length')
    throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
  const { media } = call
  const said = ending === 'complete' ? seen.usage : null
  const outputTokens = () => countTokens(writer.text)
  const used = countUsage(app, turn, { said, asked, media, requestBytes, outputTokens })
  return { used, finish: finishReason(ending, seen) }
}

/** Reads the chunks of the stream to its end. */
async function readChunks(
  app: App,
  call: Call,
  turn: Turn,
  reply: UpstreamReply,
  seen: StreamState,
  hear: OnDelta,
  writer: ResponseWriter,
): Promise<RelayEnding> {
  const reader = new SseReader()
  const take = createChunkReader(app, call, seen, hear)
  const requireEnd = createOutputLimit(turn)
  let readBytes = 0
  try {
    for (let isOver = false; !isOver; ) {
      const bytes = seen.finish === null ? await reply.read() : await readTrailer(reply)
      isOver = (await take(bytes ? reader.push(bytes) : reader.end())) || bytes === null
      readBytes += bytes?.length ?? 0
      requireEnd({ length: writer.text.length, text: writer.text }, readBytes)
    }
  } catch (error) {
    return endingAfter(call, error, writer.text !== '')
  } finally {
    reply.close()
  }
  if (seen.finish === null && !seen.isDone)
    throw new UpstreamFailed('failed', 'the upstream disconnected before the end of its answer')
  return 'complete'
}

function createChunkReader(app: App, call: Call, seen: StreamState, hear: OnDelta) {
  const calls = new ToolCalls()
  const takeChunk = async (chunk: Chunk): Promise<void> => {
    requirePinnedModel(app, call, chunk.model)
    noteChunk(chunk, seen, calls)
    call.signal.throwIfAborted()
    const delta = chunk.choices?.[0]?.delta
    if (delta) await hear(delta as Delta)
  }
  return async (events: readonly string[]): Promise<boolean> => {
    for (const data of events) {
      const chunk = parseChunk(data)
      if (chunk === 'done') {
        seen.isDone = true
        calls.requireWhole(seen.finish)
        return true
      }
      if (chunk) await takeChunk(chunk)
    }
    return false
  }
}
