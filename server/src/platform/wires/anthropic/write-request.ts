// Writes requests of the Anthropic Messages API.
import {
  type Block,
  type CacheMark,
  type Conversation,
  type FileBlock,
  InexpressibleError,
  type MediaSource,
  type Message,
  type Part,
  type TextBlock,
  type Tool,
} from '../conversation.ts'
import { withInstructions } from '../instructions.ts'
import { parseArguments, present } from '../values.ts'
import type { Fields, ProviderRequest, TargetOptions } from '../wire.ts'
import { isUnsigned, writeReasoning } from './write-reasoning.ts'

const VERSION = '2023-06-01'
const ABSENT = ['seed', 'presencePenalty', 'frequencyPenalty', 'logitBias', 'logprobs'] as const
/** A penalty of 0 changes nothing. */
const isHarmless = (part: string, value: unknown): boolean => part.endsWith('Penalty') && value === 0

export function writeRequest(
  conversation: Conversation,
  { model, maxTokens }: TargetOptions,
): ProviderRequest {
  const adapted: string[] = []
  const { options, tools } = conversation
  for (const part of ABSENT)
    if (options[part] !== undefined && !isHarmless(part, options[part])) throw refused(`options.${part}`)
  if ((options.count ?? 1) !== 1) throw refused('options.count')
  if (options.cacheKey !== undefined) adapted.push('options.cacheKey')
  const messages = writeMessages(conversation.messages, adapted)
  const body = present({
    model,
    max_tokens: maxTokens,
    messages,
    system: writeSystem(withInstructions(conversation.system, options.verbosity, undefined, adapted)),
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: writeToolChoice(conversation),
    stop_sequences: options.stop,
    stream: conversation.isStream || undefined,
    metadata: options.user === undefined ? undefined : { user_id: options.user },
    ...writeReasoning(conversation, maxTokens, adapted),
  })
  return { path: '/v1/messages', headers: { 'anthropic-version': VERSION }, body, adapted }
}

const refused = (part: Part): InexpressibleError => new InexpressibleError(part, 'anthropic')

/** Ids of other formats may have other characters. */
const callId = (id: string): string => id.replace(/[^\w-]/g, '_') || 'call'

function writeSystem(system: readonly TextBlock[]): unknown {
  const [first] = system
  if (!first) return undefined
  return system.length === 1 && !first.cache ? first.text : system.map(writeBlock)
}

/** Instructions between messages become a marked text of the user, because this format has no place for them. */
function writeMessages(messages: readonly Message[], adapted: string[]): Fields[] {
  const written: { role: string; content: Fields[] }[] = []
  for (const [i, { role, name, blocks }] of messages.entries()) {
    if (name !== undefined) throw refused('message.name')
    if (role === 'system') adapted.push(`messages[${i}].role`)
    if (blocks.some(isUnsigned)) adapted.push('block.thinking')
    const known = blocks.filter((block) => !isUnsigned(block) && !isEmptyText(block))
    if (known.length === 0) continue
    const content = role === 'system' ? known.map(asInstruction) : known.map(writeBlock)
    const target = role === 'assistant' ? 'assistant' : 'user'
    const last = written.at(-1)
    // A result must directly follow its call, so messages of one role are joined.
    if (last?.role === target) last.content.push(...content)
    else written.push({ role: target, content })
  }
  return written
}

/** The provider refuses texts without content. */
const isEmptyText = (block: Block): boolean => block.kind === 'text' && block.text === ''

const asInstruction = (block: Block): Fields =>
  block.kind === 'text'
    ? writeBlock({ ...block, text: `<system-instruction>\n${block.text}\n</system-instruction>` })
    : writeBlock(block)

function writeBlock(block: Block): Fields {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text, ...writeCache(block) }
    case 'image':
      return { type: 'image', source: writeSource(block.source), ...writeCache(block) }
    case 'file':
      return writeDocument(block)
    case 'thinking':
      return writeThinking(block)
    case 'refusal':
      return { type: 'text', text: block.text }
    case 'tool_call':
      return writeToolCall(block)
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: callId(block.callId),
        content: block.content.filter((each) => !isEmptyText(each)).map(writeBlock),
        ...(block.isError && { is_error: true }),
        ...writeCache(block),
      }
    case 'audio':
      throw refused('block.audio')
  }
}

function writeThinking({ text, signature, redacted }: Block & { kind: 'thinking' }): Fields {
  if (redacted !== undefined) return { type: 'redacted_thinking', data: redacted }
  return { type: 'thinking', thinking: text, signature }
}

function writeToolCall(block: Block & { kind: 'tool_call' }): Fields {
  if (block.isCustom) throw refused('tool.custom')
  const input = parseArguments(block.arguments)
  if (!input) throw refused('block.tool_call.arguments')
  return { type: 'tool_use', id: callId(block.id), name: block.name, input, ...writeCache(block) }
}

function writeDocument({ source, name, ...block }: FileBlock): Fields {
  const title = name === undefined ? {} : { title: name }
  if (source.kind === 'data' && source.mediaType === 'text/plain') {
    const data = Buffer.from(source.data, 'base64').toString()
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data },
      ...title,
      ...writeCache(block),
    }
  }
  return { type: 'document', source: writeSource(source), ...title, ...writeCache(block) }
}

const writeSource = (source: MediaSource): Fields =>
  source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data }

const writeCache = ({ cache }: { readonly cache?: CacheMark }): Fields =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' && { ttl: '1h' }) } } : {}

function writeTool({ name, description, schema, isStrict, ...tool }: Tool): Fields {
  if (schema === null) throw refused('tool.custom')
  return present({
    name,
    description,
    input_schema: schema,
    strict: isStrict || undefined,
    ...writeCache(tool),
  })
}

function writeToolChoice({ toolChoice, options, tools }: Conversation): Fields | undefined {
  if (tools.length === 0) return undefined
  if (toolChoice?.kind === 'allowed') throw refused('toolChoice.allowed')
  const single =
    options.parallelTools === undefined ? {} : { disable_parallel_tool_use: !options.parallelTools }
  if (!toolChoice) return options.parallelTools === undefined ? undefined : { type: 'auto', ...single }
  if (toolChoice.kind === 'none') return { type: 'none' }
  if (toolChoice.kind === 'tool') return { type: 'tool', name: toolChoice.name, ...single }
  return { type: toolChoice.kind === 'required' ? 'any' : 'auto', ...single }
}
