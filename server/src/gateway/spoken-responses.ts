// The text of an answer for the Responses API, from a chat completion of the upstream.
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { parseChunk } from '../platform/inference/completion-chunk.ts'
import { EventReader } from '../platform/inference/event-reader.ts'
import { countTokens, UpstreamFailed } from '../platform/inference/inference.ts'
import type { UpstreamReply } from '../platform/inference/send.ts'
import { type Chunk, noteChunk } from './chat-grammar.ts'
import { type Call, requireBound } from './gateway.ts'
import { type Counted, countUse } from './own-count.ts'
import { type Ending, endingBy, endOfOutput, finishOf, lastWords } from './relay.ts'
import { toChat } from './response-request.ts'
import type { Delta, ResponseWriter } from './response-writer.ts'
import type { ResponsesRequest } from './schema.ts'
import { newSeen, type Seen } from './sieve.ts'
import { ToolCalls } from './tool-calls.ts'
import { askChat } from './upstream-call.ts'
import { asStream, completionEvents } from './whole-as-stream.ts'

export type Said = { readonly used: Counted | null; readonly finish: string }
type Hear = (delta: Delta) => Promise<void>

export async function speak(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  hear: Hear,
  writer: ResponseWriter,
): Promise<Said> {
  const body = toChat(asked)
  const ask = { outputCeiling: turn.outputCeiling, isStream: true }
  const { reply, requestBytes } = await askChat(app, call, body, ask)
  const seen = newSeen()
  const stream = await asStream(reply, completionEvents)
  const ending = await listen(app, call, turn, stream, seen, hear, writer)
  if (ending === 'stopped' && writer.text === '') return { used: null, finish: 'stopped' }
  if (writer.text === '' && seen.finish !== 'length')
    throw new UpstreamFailed('failed', 'it answered with nothing')
  const { media } = call
  const said = ending === 'complete' ? seen.usage : null
  const outputTokens = () => countTokens(writer.text)
  const used = countUse(app, turn, { said, asked, media, requestBytes, outputTokens })
  return { used, finish: finishOf(ending, seen) }
}

/** Hears chunk after chunk. */
async function listen(
  app: App,
  call: Call,
  turn: Turn,
  reply: UpstreamReply,
  seen: Seen,
  hear: Hear,
  writer: ResponseWriter,
): Promise<Ending> {
  const reader = new EventReader()
  const take = createTake(app, call, seen, hear)
  const requireEnd = endOfOutput(turn)
  let readBytes = 0
  try {
    for (let isOver = false; !isOver; ) {
      const bytes = seen.finish === null ? await reply.read() : await lastWords(reply)
      isOver = (await take(bytes ? reader.push(bytes) : reader.end())) || bytes === null
      readBytes += bytes?.length ?? 0
      requireEnd({ length: writer.text.length, text: writer.text }, readBytes)
    }
  } catch (error) {
    return endingBy(call, error, writer.text !== '')
  } finally {
    reply.close()
  }
  if (seen.finish === null && !seen.isDone)
    throw new UpstreamFailed('failed', 'it broke off in the middle of its answer')
  return 'complete'
}

function createTake(app: App, call: Call, seen: Seen, hear: Hear) {
  const calls = new ToolCalls()
  const takeChunk = async (chunk: Chunk): Promise<void> => {
    requireBound(app, call, chunk.model)
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
