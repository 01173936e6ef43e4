// Writes requests of the Anthropic Messages API.
import {
  type Block,
  type CacheMark,
  type Conversation,
  type FileBlock,
  InexpressibleError,
  type MediaSource,
  type Message,
  type Options,
  type Part,
  type TextBlock,
  type Tool,
} from '../conversation.ts'
import { parseArguments, present } from '../values.ts'
import type { Fields, ProviderRequest, TargetOptions } from '../wire.ts'

const VERSION = '2023-06-01'
/** Where the caller asked for reasoning by effort alone, the budget is this part of the ceiling. */
const EFFORT_SHARE: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.9,
}
const BUDGET_MIN = 1_024

export function writeRequest(
  conversation: Conversation,
  { model, maxTokens }: TargetOptions,
): ProviderRequest {
  const adapted: string[] = []
  const { options, tools } = conversation
  for (const part of [
    'seed',
    'presencePenalty',
    'frequencyPenalty',
    'logitBias',
    'logprobs',
    'verbosity',
  ] as const)
    if (options[part] !== undefined && options[part] !== 0) throw refused(`options.${part}`)
  if ((options.count ?? 1) !== 1) throw refused('options.count')
  const messages = writeMessages(conversation.messages, adapted)
  const body = present({
    model,
    max_tokens: maxTokens,
    messages,
    system: writeSystem(conversation.system),
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: writeToolChoice(conversation),
    temperature: writeTemperature(options.temperature, adapted),
    top_p: options.topP,
    top_k: options.topK,
    stop_sequences: options.stop,
    stream: conversation.isStream || undefined,
    metadata: options.user === undefined ? undefined : { user_id: options.user },
    ...writeReasoning(withoutBrokenReasoning(conversation, adapted), maxTokens, adapted),
  })
  return { path: '/messages', headers: { 'anthropic-version': VERSION }, body, adapted }
}

const refused = (part: Part): InexpressibleError => new InexpressibleError(part, 'anthropic')

/** The scale ends at 1; other formats end at 2. */
function writeTemperature(temperature: number | undefined, adapted: string[]): number | undefined {
  if (temperature === undefined || temperature <= 1) return temperature
  adapted.push('options.temperature')
  return 1
}

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
    const known = blocks.filter((block) => !isUnsigned(block))
    if (known.length < blocks.length) adapted.push('block.thinking')
    if (known.length === 0 && blocks.length > 0) continue
    const content = role === 'system' ? known.map(asInstruction) : known.map(writeBlock)
    const target = role === 'assistant' ? 'assistant' : 'user'
    const last = written.at(-1)
    // A result must directly follow its call, so messages of one role are joined.
    if (last?.role === target) last.content.push(...content)
    else written.push({ role: target, content })
  }
  return written
}

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
        tool_use_id: block.callId,
        content: block.content.map(writeBlock),
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

/** The provider accepts only reasoning that it signed. */
const isUnsigned = (block: Block): boolean =>
  block.kind === 'thinking' && block.signature === undefined && block.redacted === undefined

function writeToolCall(block: Block & { kind: 'tool_call' }): Fields {
  const input = block.isCustom ? { input: block.arguments } : parseArguments(block.arguments)
  if (!input) throw refused('block.tool_call.arguments')
  return { type: 'tool_use', id: block.id, name: block.name, input, ...writeCache(block) }
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

function writeTool({ name, description, schema, isStrict, format, ...tool }: Tool): Fields {
  // A custom tool takes plain text: its text becomes the only argument.
  const input_schema = schema ?? {
    type: 'object',
    properties: { input: { type: 'string', ...(format && { description: JSON.stringify(format) }) } },
    required: ['input'],
  }
  return present({ name, description, input_schema, strict: isStrict || undefined, ...writeCache(tool) })
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

/**
 * With reasoning on, the provider requires signed reasoning before the tool calls that it continues. A client that does not
 * return it gets an answer without reasoning instead of an error.
 */
function withoutBrokenReasoning({ messages, options }: Conversation, adapted: string[]): Options {
  const last = messages.findLast(({ role }) => role === 'assistant')
  const isContinued = messages.at(-1)?.blocks.some(({ kind }) => kind === 'tool_result') ?? false
  const isSigned = last?.blocks.some((block) => block.kind === 'thinking' && !isUnsigned(block)) ?? true
  if (!options.reasoning || !isContinued || isSigned) return options
  const { reasoning: _, ...rest } = options
  adapted.push('options.reasoning')
  return rest
}

function writeReasoning({ reasoning, format }: Options, maxTokens: number, adapted: string[]): Fields {
  const output: Fields = {}
  if (format?.kind === 'json') throw refused('options.format')
  if (format) output.format = { type: 'json_schema', schema: format.schema }
  let thinking: Fields | undefined
  if (reasoning?.effort === 'none') thinking = { type: 'disabled' }
  else if (reasoning?.budgetTokens !== undefined) {
    thinking = { type: 'enabled', budget_tokens: reasoning.budgetTokens }
    if (reasoning.effort !== undefined) output.effort = reasoning.effort
  } else if (reasoning?.effort !== undefined) {
    const budget = Math.floor(maxTokens * (EFFORT_SHARE[reasoning.effort] ?? 0.5))
    adapted.push('reasoning.effort')
    if (budget >= BUDGET_MIN) thinking = { type: 'enabled', budget_tokens: budget }
  } else if (reasoning?.isShown) thinking = { type: 'adaptive' }
  return { ...(thinking && { thinking }), ...(Object.keys(output).length > 0 && { output_config: output }) }
}
