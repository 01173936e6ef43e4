// Reads requests of OpenAI's Responses API. State at the provider is not supported: items are sent whole.
import {
  type Block,
  type Conversation,
  type FileBlock,
  type ImageBlock,
  type Message,
  type Options,
  type TextBlock,
  type Tool,
  type ToolChoice,
  WireError,
} from '../conversation.ts'
import { ignoredFields, requireOffered } from '../fields.ts'
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
  readDataUrl,
  recordAt,
  textAt,
  textsAt,
} from '../values.ts'
import type { Fields } from '../wire.ts'
import { readUrl } from './read-chat-request.ts'
import { TABLE } from './responses-fields.ts'

type Item = { readonly role: Message['role']; readonly blocks: readonly Block[]; readonly isMessage: boolean }

export function readRequest(body: Fields): Conversation {
  const instructions = optionalText(body.instructions, 'instructions')
  const system: TextBlock[] = instructions ? [{ kind: 'text', text: instructions }] : []
  const messages: Message[] = []
  const hosted: string[] = []
  for (const item of readInput(body.input, hosted)) {
    if (item.role === 'system' && messages.length === 0) system.push(...(item.blocks as readonly TextBlock[]))
    else addItem(messages, item)
  }
  const tools =
    body.tools == null ? [] : eachAt(body.tools, 'tools', (tool, path) => readTool(tool, path, hosted))
  const offered = tools.filter((tool) => tool !== null)
  const conversation = {
    wire: 'openai-responses',
    model: textAt(body.model, 'model'),
    system,
    messages,
    tools: offered,
    toolChoice: requireOffered(readToolChoice(body.tool_choice), offered, hosted, 'tool_choice'),
    options: readOptions(body),
    isStream: optionalFlag(body.stream, 'stream') ?? false,
  } as const
  return { ...conversation, ignored: ignoredFields(body, TABLE, hosted) }
}

function readInput(input: unknown, hosted: string[]): Item[] {
  if (typeof input === 'string')
    return [{ role: 'user', blocks: [{ kind: 'text', text: input }], isMessage: true }]
  return eachAt(input, 'input', (item, path) => readItem(item, path, hosted)).filter((item) => item !== null)
}

/** Reasoning, text and calls of one turn are separate items here; they become blocks of one message. */
function addItem(messages: Message[], { role, blocks, isMessage }: Item): void {
  const last = messages.at(-1)
  const isTurn = role === 'assistant' && last?.role === 'assistant'
  const isResults =
    role === 'user' &&
    !isMessage &&
    last?.role === 'user' &&
    last.blocks.every(({ kind }) => kind === 'tool_result')
  if (last && (isTurn || isResults))
    messages[messages.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] }
  else messages.push({ role, blocks })
}

/** Work of hosted tools. The model's answer after it repeats what matters. */
const HOSTED_ITEM = /_call(_output)?$|^mcp_/

/** Null for an item of a hosted tool. */
function readItem(item: Fields, path: string, hosted: string[]): Item | null {
  switch (item.type ?? 'message') {
    case 'message':
      return readMessage(item, path)
    case 'reasoning':
      return { role: 'assistant', blocks: [readReasoningItem(item, path)], isMessage: false }
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', blocks: [readCall(item, path)], isMessage: false }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'user', blocks: [readOutput(item, path)], isMessage: false }
    case 'item_reference':
      throw new WireError(path, 'must be the item itself')
    default:
      if (typeof item.type !== 'string' || !HOSTED_ITEM.test(item.type))
        throw new WireError(`${path}.type`, `${JSON.stringify(item.type)} is not supported`)
      hosted.push(`input[${item.type}]`)
      return null
  }
}

function readMessage({ role, content }: Fields, path: string): Item {
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer')
    throw new WireError(`${path}.role`, 'must be "user", "assistant", "system" or "developer"')
  const blocks: Block[] =
    typeof content === 'string'
      ? [{ kind: 'text', text: content }]
      : eachAt(content, `${path}.content`, readPart)
  const isInstruction = role === 'system' || role === 'developer'
  if (isInstruction && blocks.some(({ kind }) => kind !== 'text'))
    throw new WireError(`${path}.content`, 'must be text')
  return { role: isInstruction ? 'system' : role, blocks, isMessage: true }
}

function readPart(part: Fields, path: string): Block {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: textAt(part.text, `${path}.text`) }
    case 'refusal':
      return { kind: 'refusal', text: textAt(part.refusal, `${path}.refusal`) }
    case 'input_image': {
      const source = readUrl(textAt(part.image_url, `${path}.image_url`))
      const { detail } = part
      return {
        kind: 'image',
        source,
        ...((detail === 'low' || detail === 'high' || detail === 'auto') && { detail }),
      }
    }
    case 'input_file':
      return readFile(part, path)
    default:
      throw new WireError(`${path}.type`, `${JSON.stringify(part.type)} is not supported`)
  }
}

function readFile(part: Fields, path: string): FileBlock {
  const name = optionalText(part.filename, `${path}.filename`)
  const named = name === undefined ? {} : { name }
  if (part.file_url !== undefined)
    return { kind: 'file', source: { kind: 'url', url: textAt(part.file_url, `${path}.file_url`) }, ...named }
  if (part.file_id !== undefined)
    throw new WireError(`${path}.file_id`, 'is not supported: send the file as file_data')
  const data = readDataUrl(textAt(part.file_data, `${path}.file_data`))
  if (!data) throw new WireError(`${path}.file_data`, 'must be a data URL')
  return { kind: 'file', source: { kind: 'data', ...data }, ...named }
}

function readReasoningItem(item: Fields, path: string): Block {
  const texts = (value: unknown, at: string): string[] =>
    value === undefined || value === null
      ? []
      : eachAt(value, at, (part, each) => textAt(part.text, `${each}.text`))
  const content = texts(item.content, `${path}.content`)
  const text = (content.length > 0 ? content : texts(item.summary, `${path}.summary`)).join('\n\n')
  const signature = optionalText(item.encrypted_content, `${path}.encrypted_content`)
  const id = optionalText(item.id, `${path}.id`)
  return {
    kind: 'thinking',
    text,
    ...(signature !== undefined && { signature }),
    ...(id !== undefined && { id }),
  }
}

function readCall(item: Fields, path: string): Block {
  const isCustom = item.type === 'custom_tool_call'
  const field = isCustom ? 'input' : 'arguments'
  return {
    kind: 'tool_call',
    id: textAt(item.call_id, `${path}.call_id`),
    name: textAt(item.name, `${path}.name`),
    arguments: textAt(item[field], `${path}.${field}`),
    ...(isCustom && { isCustom }),
  }
}

function readOutput(item: Fields, path: string): Block {
  const { output } = item
  const isCustom = item.type === 'custom_tool_call_output'
  const content: Block[] =
    typeof output === 'string' ? [{ kind: 'text', text: output }] : eachAt(output, `${path}.output`, readPart)
  return {
    kind: 'tool_result',
    callId: textAt(item.call_id, `${path}.call_id`),
    content: content as (TextBlock | ImageBlock | FileBlock)[],
    ...(isCustom && { isCustom }),
  }
}

/** Null for a tool that runs at a provider. */
function readTool(tool: Fields, path: string, hosted: string[]): Tool | null {
  if (tool.type !== 'function' && tool.type !== 'custom') {
    hosted.push(`tools[${String(tool.type)}]`)
    return null
  }
  const name = textAt(tool.name, `${path}.name`)
  const description = optionalText(tool.description, `${path}.description`)
  if (tool.type === 'custom') {
    const format = tool.format == null ? undefined : jsonAt(tool.format, `${path}.format`)
    return present({ name, description, schema: null, format })
  }
  return present({
    name,
    description,
    schema: jsonAt(tool.parameters ?? { type: 'object' }, `${path}.parameters`),
    isStrict: optionalFlag(tool.strict, `${path}.strict`),
  })
}

function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice === undefined || choice === null) return null
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const fields = recordAt(choice, 'tool_choice')
  // A hosted tool has no name.
  if (fields.type !== 'allowed_tools')
    return { kind: 'tool', name: textAt(fields.name ?? fields.type, 'tool_choice.name') }
  const names = eachAt(fields.tools, 'tool_choice.tools', (tool, path) =>
    textAt(tool.name ?? tool.type, `${path}.name`),
  )
  return { kind: 'allowed', names, isRequired: fields.mode === 'required' }
}

function readOptions(body: Fields): Options {
  const text = body.text === undefined || body.text === null ? {} : recordAt(body.text, 'text')
  const stop =
    typeof body.stop === 'string' ? [body.stop] : body.stop == null ? [] : textsAt(body.stop, 'stop')
  return present({
    maxTokens: optionalInteger(body.max_output_tokens, 'max_output_tokens', 1),
    temperature: optionalNumber(body.temperature, 'temperature', 0),
    topP: optionalNumber(body.top_p, 'top_p', 0),
    topK: optionalInteger(body.top_k, 'top_k', 0),
    stop: stop.length > 0 ? stop : undefined,
    seed: optionalInteger(body.seed, 'seed', Number.MIN_SAFE_INTEGER),
    logprobs: optionalInteger(body.top_logprobs, 'top_logprobs', 0) || undefined,
    format: readFormat(text.format),
    verbosity: optionalText(text.verbosity, 'text.verbosity'),
    reasoning: readReasoning(body.reasoning),
    parallelTools: optionalFlag(body.parallel_tool_calls, 'parallel_tool_calls'),
    user: optionalText(body.safety_identifier ?? body.user, 'user'),
    cacheKey: optionalText(body.prompt_cache_key, 'prompt_cache_key'),
  })
}

function readFormat(value: unknown): Options['format'] {
  if (!isRecord(value) || value.type === 'text') return undefined
  if (value.type === 'json_object') return { kind: 'json' }
  if (value.type !== 'json_schema')
    throw new WireError('text.format.type', 'must be "text", "json_object" or "json_schema"')
  return present({
    kind: 'schema' as const,
    name: optionalText(value.name, 'text.format.name'),
    description: optionalText(value.description, 'text.format.description'),
    schema: jsonAt(value.schema ?? {}, 'text.format.schema'),
    isStrict: optionalFlag(value.strict, 'text.format.strict'),
  })
}

function readReasoning(value: unknown): Options['reasoning'] {
  if (value === undefined || value === null) return undefined
  const reasoning = recordAt(value, 'reasoning')
  const effort = optionalEffort(reasoning.effort, 'reasoning.effort')
  const summary = optionalText(reasoning.summary ?? reasoning.generate_summary, 'reasoning.summary')
  if (effort === undefined && summary === undefined) return undefined
  return present({ effort, summary, isShown: summary === undefined ? undefined : true })
}
