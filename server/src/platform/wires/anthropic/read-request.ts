// Reads requests of the Anthropic Messages API.
import {
  type Block,
  type CacheMark,
  type Conversation,
  type FileBlock,
  type ImageBlock,
  type MediaSource,
  type Message,
  type Options,
  type Part,
  type TextBlock,
  type Tool,
  type ToolChoice,
  type ToolResultBlock,
  WireError,
} from '../conversation.ts'
import { type FieldTable, ignoredFields, requireOffered } from '../fields.ts'
import {
  eachAt,
  isRecord,
  jsonAt,
  optionalEffort,
  optionalFlag,
  optionalInteger,
  optionalNumber,
  optionalText,
  present,
  recordAt,
  textAt,
  textsAt,
} from '../values.ts'
import type { Fields } from '../wire.ts'

const CACHE: FieldTable = { type: true, ttl: true }
const SOURCE: FieldTable = { type: true, media_type: true, data: true, url: true }
const isEnabled = (value: unknown): boolean => isRecord(value) && value.enabled === true
const BLOCK: FieldTable = {
  type: true,
  text: true,
  source: SOURCE,
  title: true,
  context: ['is not supported: put it into a text block'],
  // Text blocks of earlier answers repeat their citations, which the provider does not need.
  citations: (value) => (isEnabled(value) ? ['is not supported'] : isRecord(value)),
  thinking: true,
  signature: true,
  data: true,
  id: true,
  name: true,
  input: true,
  tool_use_id: true,
  is_error: true,
  cache_control: CACHE,
  get content() {
    return BLOCK
  },
}
const TABLE: FieldTable = {
  model: true,
  messages: { role: true, content: BLOCK },
  system: BLOCK,
  max_tokens: true,
  stream: true,
  temperature: true,
  top_p: true,
  top_k: true,
  stop_sequences: true,
  tools: {
    type: true,
    name: true,
    description: true,
    input_schema: true,
    strict: true,
    cache_control: CACHE,
    input_examples: false,
    defer_loading: false,
    allowed_callers: false,
    eager_input_streaming: false,
  },
  tool_choice: { type: true, name: true, disable_parallel_tool_use: true },
  thinking: { type: true, budget_tokens: true, display: true },
  output_config: { effort: true, format: { type: true, schema: true } },
  output_format: { type: true, schema: true },
  metadata: { user_id: true },
  cache_control: CACHE,
  container: ['is not supported: nothing is stored at the provider'],
  mcp_servers: ['is not supported: connect MCP servers in the client', []],
  betas: false,
  context_management: false,
  inference_geo: false,
  service_tier: false,
  speed: false,
}

const FIELDS: Partial<Record<Part, string>> = {
  'options.maxTokens': 'max_tokens',
  'options.topP': 'top_p',
  'options.topK': 'top_k',
  'options.stop': 'stop_sequences',
  'options.reasoning': 'thinking',
  'reasoning.budgetTokens': 'thinking.budget_tokens',
  'reasoning.effort': 'output_config.effort',
  'reasoning.isShown': 'thinking.display',
  cache: 'cache_control',
  'options.format': 'output_config.format',
  'options.parallelTools': 'tool_choice.disable_parallel_tool_use',
  'options.user': 'metadata.user_id',
  'block.thinking': 'messages[].content[].thinking',
  'block.file': 'messages[].content[].document',
  'block.file.url': 'messages[].content[].source.url',
  'block.image': 'messages[].content[].image',
  'block.image.url': 'messages[].content[].source.url',
  'block.tool_call.arguments': 'messages[].content[].input',
  'block.tool_result': 'messages[].content[].tool_use_id',
}

export const fieldOf = (part: Part): string => FIELDS[part] ?? part.replace(/^options\./, '')

export function readRequest(body: Fields): Conversation {
  const hosted: string[] = []
  const tools =
    body.tools == null ? [] : eachAt(body.tools, 'tools', (tool, path) => readTool(tool, path, hosted))
  const offered = tools.filter((tool) => tool !== null)
  const conversation = {
    wire: 'anthropic',
    model: textAt(body.model, 'model'),
    system: readSystem(body.system),
    messages: withLastMark(eachAt(body.messages, 'messages', readMessage), readCache(body, '').cache),
    tools: offered,
    toolChoice: requireOffered(readToolChoice(body.tool_choice), offered, hosted, 'tool_choice'),
    options: readOptions(body),
    isStream: optionalFlag(body.stream, 'stream') ?? false,
  } as const
  return { ...conversation, ignored: ignoredFields(body, TABLE, hosted) }
}

/** A mark of the whole request is the mark of its last block. */
function withLastMark(messages: readonly Message[], cache: CacheMark | undefined): readonly Message[] {
  const last = messages.at(-1)
  const block = last?.blocks.at(-1)
  const isMarkable = block && !['thinking', 'refusal', 'audio'].includes(block.kind)
  if (!cache || !last || !block || !isMarkable) return messages
  return [
    ...messages.slice(0, -1),
    { ...last, blocks: [...last.blocks.slice(0, -1), { ...block, cache } as Block] },
  ]
}

function readSystem(system: unknown): TextBlock[] {
  if (system === undefined || system === null) return []
  if (typeof system === 'string') return system === '' ? [] : [{ kind: 'text', text: system }]
  return eachAt(system, 'system', (block, path) => {
    if (block.type !== 'text') throw new WireError(`${path}.type`, 'must be "text"')
    return { kind: 'text', text: textAt(block.text, `${path}.text`), ...readCache(block, path) }
  })
}

function readMessage({ role, content }: Fields, path: string): Message {
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw new WireError(`${path}.role`, 'must be "user" or "assistant"')
  if (typeof content === 'string') return { role, blocks: [{ kind: 'text', text: content }] }
  return { role, blocks: eachAt(content, `${path}.content`, readBlock) }
}

function readBlock(block: Fields, path: string): Block {
  const cache = readCache(block, path)
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: textAt(block.text, `${path}.text`), ...cache }
    case 'image':
      return { kind: 'image', source: readSource(block.source, `${path}.source`), ...cache }
    case 'document':
      return readDocument(block, path, cache)
    case 'thinking':
      return present({
        kind: 'thinking' as const,
        text: textAt(block.thinking, `${path}.thinking`),
        signature: optionalText(block.signature, `${path}.signature`) || undefined,
      })
    case 'redacted_thinking':
      return { kind: 'thinking', text: '', redacted: textAt(block.data, `${path}.data`) }
    case 'tool_use':
      return {
        kind: 'tool_call',
        id: textAt(block.id, `${path}.id`),
        name: textAt(block.name, `${path}.name`),
        arguments: JSON.stringify(jsonAt(block.input ?? {}, `${path}.input`)),
        ...cache,
      }
    case 'tool_result':
      return readToolResult(block, path, cache)
    default:
      throw new WireError(`${path}.type`, `${JSON.stringify(block.type)} is not supported`)
  }
}

function readToolResult(block: Fields, path: string, cache: { cache?: CacheMark }): ToolResultBlock {
  const { content } = block
  const isError = optionalFlag(block.is_error, `${path}.is_error`)
  return {
    kind: 'tool_result',
    callId: textAt(block.tool_use_id, `${path}.tool_use_id`),
    content: readResultContent(content, `${path}.content`),
    ...(isError && { isError }),
    ...cache,
  }
}

function readResultContent(content: unknown, path: string): (TextBlock | ImageBlock | FileBlock)[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return eachAt(content, path, (each, at) => {
    const block = readBlock(each, at)
    if (block.kind === 'text' || block.kind === 'image' || block.kind === 'file') return block
    throw new WireError(`${at}.type`, 'must be "text", "image" or "document"')
  })
}

function readDocument(block: Fields, path: string, cache: { cache?: CacheMark }): FileBlock {
  const source = recordAt(block.source, `${path}.source`)
  const name = optionalText(block.title, `${path}.title`)
  const rest = { ...(name !== undefined && { name }), ...cache }
  if (source.type === 'text') {
    const data = Buffer.from(textAt(source.data, `${path}.source.data`)).toString('base64')
    return { kind: 'file', source: { kind: 'data', mediaType: 'text/plain', data }, ...rest }
  }
  return { kind: 'file', source: readSource(source, `${path}.source`), ...rest }
}

function readSource(value: unknown, path: string): MediaSource {
  const source = recordAt(value, path)
  if (source.type === 'url') return { kind: 'url', url: textAt(source.url, `${path}.url`) }
  if (source.type !== 'base64')
    throw new WireError(`${path}.type`, 'must be "base64" or "url": nothing is stored at the provider')
  return {
    kind: 'data',
    mediaType: textAt(source.media_type, `${path}.media_type`),
    data: textAt(source.data, `${path}.data`),
  }
}

function readCache({ cache_control: control }: Fields, path: string): { cache?: CacheMark } {
  if (control === undefined || control === null) return {}
  const at = path === '' ? 'cache_control' : `${path}.cache_control`
  const { type, ttl } = recordAt(control, at)
  if (type !== 'ephemeral') throw new WireError(`${at}.type`, 'must be "ephemeral"')
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h')
    throw new WireError(`${at}.ttl`, 'must be "5m" or "1h"')
  return { cache: { ttl: ttl ?? '5m' } }
}

/** Null for a tool whose schema or work is the provider's. */
function readTool(tool: Fields, path: string, hosted: string[]): Tool | null {
  if (tool.type !== undefined && tool.type !== null && tool.type !== 'custom') {
    hosted.push(`tools[${String(tool.name ?? tool.type)}]`)
    return null
  }
  return present({
    name: textAt(tool.name, `${path}.name`),
    description: optionalText(tool.description, `${path}.description`),
    schema: jsonAt(tool.input_schema ?? { type: 'object' }, `${path}.input_schema`),
    isStrict: optionalFlag(tool.strict, `${path}.strict`),
    ...readCache(tool, path),
  })
}

function readToolChoice(value: unknown): ToolChoice | null {
  if (value === undefined || value === null) return null
  const choice = recordAt(value, 'tool_choice')
  if (choice.type === 'auto' || choice.type === 'none') return { kind: choice.type }
  if (choice.type === 'any') return { kind: 'required' }
  if (choice.type === 'tool') return { kind: 'tool', name: textAt(choice.name, 'tool_choice.name') }
  throw new WireError('tool_choice.type', 'must be "auto", "any", "tool" or "none"')
}

function readOptions(body: Fields): Options {
  const maxTokens = optionalInteger(body.max_tokens, 'max_tokens', 1)
  if (maxTokens === undefined) throw new WireError('max_tokens', 'is required')
  const choice = isRecord(body.tool_choice) ? body.tool_choice : {}
  const isSingle = optionalFlag(choice.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use')
  const output = body.output_config === undefined ? {} : recordAt(body.output_config, 'output_config')
  const metadata = isRecord(body.metadata) ? body.metadata : {}
  const stop = body.stop_sequences === undefined ? undefined : textsAt(body.stop_sequences, 'stop_sequences')
  return present({
    maxTokens,
    temperature: optionalNumber(body.temperature, 'temperature', 0),
    topP: optionalNumber(body.top_p, 'top_p', 0),
    topK: optionalInteger(body.top_k, 'top_k', 0),
    stop: stop?.length === 0 ? undefined : stop,
    parallelTools: isSingle === undefined ? undefined : !isSingle,
    user: optionalText(metadata.user_id, 'metadata.user_id'),
    reasoning: readReasoning(body.thinking, output),
    format: readFormat(output.format ?? body.output_format),
  })
}

function readReasoning(thinking: unknown, output: Fields): Options['reasoning'] {
  const effort = optionalEffort(output.effort, 'output_config.effort', ['max'])
  if (thinking === undefined || thinking === null) return effort === undefined ? undefined : { effort }
  const { type, budget_tokens, display } = recordAt(thinking, 'thinking')
  if (type === 'disabled') return present({ effort: 'none', answerEffort: effort })
  if (type !== 'enabled' && type !== 'adaptive')
    throw new WireError('thinking.type', 'must be "enabled", "adaptive" or "disabled"')
  const budgetTokens = optionalInteger(budget_tokens, 'thinking.budget_tokens', 1)
  return present({
    isShown: display !== 'omitted',
    isSummarized: display === 'summarized' || undefined,
    isAdaptive: type === 'adaptive' || undefined,
    enabledBy: budgetTokens === undefined && effort === undefined ? 'thinking' : undefined,
    budgetTokens,
    effort,
  })
}

function readFormat(value: unknown): Options['format'] {
  if (value === undefined || value === null) return undefined
  const { type, schema } = recordAt(value, 'output_config.format')
  if (type !== 'json_schema') throw new WireError('output_config.format.type', 'must be "json_schema"')
  return { kind: 'schema', schema: jsonAt(schema, 'output_config.format.schema') }
}
