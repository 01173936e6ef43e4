// Reads the streams of providers that do not have OpenAI's format, for calls of the service itself.
import { anthropic } from '../../wires/anthropic/anthropic.ts'
import { type Conversation, MalformedReplyError, type StreamEvent } from '../../wires/conversation.ts'
import { gemini } from '../../wires/gemini/gemini.ts'
import { ProviderStreamError, type Wire } from '../../wires/wire.ts'
import type { Message, ModelRequest, Target } from '../model-request.ts'
import { type ChunkRead, type CompletionChunk, malformed, readChunk } from './completion-chunk.ts'

/** Reads the events of a stream. */
export type ChunkReader = {
  read(data: string): ChunkRead
  /** The end of the stream. */
  end(): ChunkRead
}

const IGNORED: ChunkRead = { kind: 'ignored' }
const WIRES: Readonly<Record<'anthropic' | 'gemini', Wire>> = { anthropic, gemini }

/** The format of the target, where it is not OpenAI's. */
export const foreignWire = ({ wire = 'openai' }: Target): Wire | null =>
  wire === 'openai' ? null : WIRES[wire]

export function createChunkReader(target: Target): ChunkReader {
  const wire = foreignWire(target)
  return wire ? wireReader(wire) : { read: readChunk, end: () => IGNORED }
}

/** The request in the format of the target. */
export function writeForeignRequest(wire: Wire, { model, messages, maxOutputTokens }: ModelRequest) {
  return wire.writeRequest(conversationOf(model, messages), { model, maxTokens: maxOutputTokens })
}

function wireReader(wire: Wire): ChunkReader {
  const reader = wire.createReader()
  const kinds = new Map<number, string>()
  return {
    read: (data) => (data.trim() === '' ? IGNORED : readEvents(() => reader.read(data), kinds)),
    end: () => readEvents(() => reader.end(), kinds),
  }
}

function readEvents(read: () => readonly StreamEvent[], kinds: Map<number, string>): ChunkRead {
  try {
    return { kind: 'chunk', chunk: read().reduce((chunk, event) => addEvent(chunk, event, kinds), NOTHING) }
  } catch (error) {
    if (error instanceof ProviderStreamError)
      return { kind: 'error', isBusy: /overload|unavail/i.test(error.code) }
    if (error instanceof MalformedReplyError) throw malformed(error.message)
    throw error
  }
}

const NOTHING: CompletionChunk = {
  text: '',
  reasoning: '',
  callsTools: false,
  finish: null,
  model: undefined,
  usage: undefined,
  mentionsUsage: false,
}

function addEvent(chunk: CompletionChunk, event: StreamEvent, kinds: Map<number, string>): CompletionChunk {
  switch (event.kind) {
    case 'start':
      return { ...chunk, model: event.model }
    case 'block_start':
      kinds.set(event.index, event.block.kind)
      return event.block.kind === 'tool_call' ? { ...chunk, callsTools: true } : chunk
    case 'delta': {
      const kind = kinds.get(event.index)
      if (kind === 'thinking') return { ...chunk, reasoning: chunk.reasoning + event.text }
      return kind === 'tool_call' ? chunk : { ...chunk, text: chunk.text + event.text }
    }
    case 'finish':
      return { ...chunk, finish: event.finish }
    case 'usage': {
      const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = event.usage
      const usage = {
        promptTokens: inputTokens,
        outputTokens,
        cachedTokens: cachedInputTokens,
        cacheWriteTokens,
        reasoningTokens,
      }
      return { ...chunk, usage, mentionsUsage: true }
    }
    default:
      return chunk
  }
}

function conversationOf(model: string, messages: readonly Message[]): Conversation {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const start = first === -1 ? messages.length : first
  const text = (content: string) => ({ kind: 'text', text: content }) as const
  return {
    wire: 'openai-chat',
    model,
    system: messages.slice(0, start).map(({ content }) => text(content)),
    messages: messages.slice(start).map(({ role, content }) => ({ role, blocks: [text(content)] })),
    tools: [],
    toolChoice: null,
    options: {},
    isStream: true,
    ignored: [],
  }
}
