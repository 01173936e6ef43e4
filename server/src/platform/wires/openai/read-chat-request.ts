// Reads requests of OpenAI's chat completions.
import {
  type AudioBlock,
  type Block,
  type CacheMark,
  type Conversation,
  type FileBlock,
  type ImageBlock,
  type MediaSource,
  type Message,
  type Options,
  type TextBlock,
  type Tool,
  type ToolCallBlock,
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
import { TABLE } from './chat-fields.ts'

export function readRequest(body: Fields): Conversation {
  const messages: Message[] = []
  const system: TextBlock[] = []
  const read = eachAt(body.messages, 'messages', readMessage)
  for (const message of read) {
    const isFirst = message.role === 'system' && messages.length === 0 && message.name === undefined
    if (isFirst) system.push(...(message.blocks as readonly TextBlock[]))
    else addMessage(messages, message)
  }
  const hosted: string[] = []
  const tools =
    body.tools == null ? [] : eachAt(body.tools, 'tools', (tool, path) => readTool(tool, path, hosted))
  const offered = tools.filter((tool) => tool !== null)
  const conversation = {
    wire: 'openai-chat',
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

/** Each result is a message here; consecutive results become blocks of one user message. */
function addMessage(messages: Message[], message: Message & { readonly isResult?: boolean }): void {
  const { isResult, ...plain } = message
  const last = messages.at(-1)
  const lastIsResults = last?.role === 'user' && last.blocks.every(({ kind }) => kind === 'tool_result')
  if (isResult && lastIsResults)
    messages[messages.length - 1] = { ...last, blocks: [...last.blocks, ...plain.blocks] }
  else messages.push(plain)
}

function readMessage(message: Fields, path: string): Message & { readonly isResult?: boolean } {
  const name = optionalText(message.name, `${path}.name`)
  const named = name === undefined ? {} : { name }
  const { cache } = readCache(message, path)
  switch (message.role) {
    case 'system':
    case 'developer':
      return {
        role: 'system',
        blocks: marked(readTexts(message.content, `${path}.content`), cache),
        ...named,
      }
    case 'user':
      return {
        role: 'user',
        blocks: marked(readContent(message.content, `${path}.content`), cache),
        ...named,
      }
    case 'assistant':
      return { role: 'assistant', blocks: marked(readAnswer(message, path), cache), ...named }
    case 'tool':
      return {
        role: 'user',
        isResult: true,
        blocks: [
          {
            kind: 'tool_result',
            callId: textAt(message.tool_call_id, `${path}.tool_call_id`),
            ...named,
            content: readContent(message.content, `${path}.content`) as TextBlock[],
            ...(cache && { cache }),
          },
        ],
      }
    default:
      throw new WireError(`${path}.role`, 'must be "system", "developer", "user", "assistant" or "tool"')
  }
}

/** A mark of a message is the mark of its last block. */
function marked<T extends Block>(blocks: readonly T[], cache: CacheMark | undefined): readonly T[] {
  const last = blocks.at(-1)
  return cache && last ? [...blocks.slice(0, -1), { ...last, cache }] : blocks
}

/** Marks of Anthropic, which clients also send to compatible providers. */
function readCache({ cache_control: control }: Fields, path: string): { cache?: CacheMark } {
  if (control === undefined || control === null) return {}
  const { type, ttl } = recordAt(control, `${path}.cache_control`)
  if (type !== 'ephemeral') throw new WireError(`${path}.cache_control.type`, 'must be "ephemeral"')
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h')
    throw new WireError(`${path}.cache_control.ttl`, 'must be "5m" or "1h"')
  return { cache: { ttl: ttl ?? '5m' } }
}

function readTexts(content: unknown, path: string): TextBlock[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return eachAt(content, path, (part, at) => {
    if (part.type !== 'text') throw new WireError(`${at}.type`, 'must be "text"')
    return { kind: 'text', text: textAt(part.text, `${at}.text`), ...readCache(part, at) }
  })
}

function readContent(content: unknown, path: string): (TextBlock | ImageBlock | FileBlock | AudioBlock)[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return eachAt(content, path, readPart)
}

function readPart(part: Fields, path: string): TextBlock | ImageBlock | FileBlock | AudioBlock {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: textAt(part.text, `${path}.text`), ...readCache(part, path) }
    case 'image_url': {
      const image =
        typeof part.image_url === 'string'
          ? { url: part.image_url }
          : recordAt(part.image_url, `${path}.image_url`)
      const source = readUrl(textAt(image.url, `${path}.image_url.url`))
      const detail = optionalText(image.detail, `${path}.image_url.detail`)
      if (detail !== undefined && detail !== 'auto' && detail !== 'low' && detail !== 'high')
        throw new WireError(`${path}.image_url.detail`, 'must be "auto", "low" or "high"')
      return { kind: 'image', source, ...(detail !== undefined && { detail }), ...readCache(part, path) }
    }
    case 'file':
      return { ...readFile(recordAt(part.file, `${path}.file`), `${path}.file`), ...readCache(part, path) }
    case 'input_audio': {
      const audio = recordAt(part.input_audio, `${path}.input_audio`)
      return {
        kind: 'audio',
        format: textAt(audio.format, `${path}.input_audio.format`),
        data: textAt(audio.data, `${path}.input_audio.data`),
      }
    }
    default:
      throw new WireError(`${path}.type`, `${JSON.stringify(part.type)} is not supported`)
  }
}

function readFile(file: Fields, path: string): FileBlock {
  if (file.file_id !== undefined)
    throw new WireError(`${path}.file_id`, 'is not supported: send the file as file_data')
  const name = optionalText(file.filename, `${path}.filename`)
  const data = readDataUrl(textAt(file.file_data, `${path}.file_data`))
  if (!data) throw new WireError(`${path}.file_data`, 'must be a data URL')
  return { kind: 'file', source: { kind: 'data', ...data }, ...(name !== undefined && { name }) }
}

export function readUrl(url: string): MediaSource {
  const data = readDataUrl(url)
  return data ? { kind: 'data', ...data } : { kind: 'url', url }
}

function readAnswer(message: Fields, path: string): Block[] {
  const blocks: Block[] = []
  const details = message.reasoning_details
  const thoughts = optionalText(message.reasoning_content ?? message.reasoning, `${path}.reasoning_content`)
  if (Array.isArray(details) && details.length > 0)
    blocks.push(...readDetails(details, `${path}.reasoning_details`, thoughts ?? ''))
  else if (thoughts) blocks.push({ kind: 'thinking', text: thoughts })
  blocks.push(...readAnswerContent(message.content, `${path}.content`))
  const refusal = optionalText(message.refusal, `${path}.refusal`)
  if (refusal) blocks.push({ kind: 'refusal', text: refusal })
  const calls = message.tool_calls ?? []
  blocks.push(...eachAt(calls, `${path}.tool_calls`, readCall))
  return blocks
}

/** The form of OpenRouter, with the proofs of each piece of reasoning. `text` is the reasoning without them. */
function readDetails(details: unknown, path: string, text: string): Block[] {
  const blocks = eachAt(details, path, (detail, at): Block | null => {
    const { type } = detail
    if (type === 'reasoning.encrypted')
      return { kind: 'thinking', text: '', redacted: textAt(detail.data, `${at}.data`) }
    const field = type === 'reasoning.summary' ? 'summary' : 'text'
    const own = optionalText(detail[field], `${at}.${field}`) ?? ''
    const signature = optionalText(detail.signature, `${at}.signature`)
    if (own === '' && !signature) return null
    return { kind: 'thinking', text: own, ...(signature && { signature }) }
  }).filter((block) => block !== null)
  const isBare = blocks.every((block) => block.kind === 'thinking' && block.text === '')
  // Some clients return the text and the proofs apart.
  const [first] = blocks
  if (!isBare || text === '' || first?.kind !== 'thinking') return blocks
  return first.redacted === undefined
    ? [{ ...first, text }, ...blocks.slice(1)]
    : [{ kind: 'thinking', text }, ...blocks]
}

function readAnswerContent(content: unknown, path: string): Block[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return eachAt(content, path, (part, at) => {
    if (part.type === 'text')
      return { kind: 'text', text: textAt(part.text, `${at}.text`), ...readCache(part, at) }
    if (part.type === 'refusal') return { kind: 'refusal', text: textAt(part.refusal, `${at}.refusal`) }
    throw new WireError(`${at}.type`, 'must be "text" or "refusal"')
  })
}

export function readCall(call: Fields, path: string): ToolCallBlock {
  const id = textAt(call.id, `${path}.id`)
  const { signature } =
    isRecord(call.extra_content) && isRecord(call.extra_content.google)
      ? { signature: optionalText(call.extra_content.google.thought_signature, `${path}.extra_content`) }
      : { signature: undefined }
  const proof = signature === undefined ? {} : { signature }
  if (call.type === 'custom') {
    const custom = recordAt(call.custom, `${path}.custom`)
    const name = textAt(custom.name, `${path}.custom.name`)
    const input = textAt(custom.input, `${path}.custom.input`)
    return { kind: 'tool_call', id, name, arguments: input, isCustom: true, ...proof }
  }
  const called = recordAt(call.function, `${path}.function`)
  return {
    kind: 'tool_call',
    id,
    name: textAt(called.name, `${path}.function.name`),
    arguments: textAt(called.arguments ?? '{}', `${path}.function.arguments`),
    ...proof,
  }
}

/** Null for a tool that runs at a provider. */
function readTool(tool: Fields, path: string, hosted: string[]): Tool | null {
  if (tool.type === 'custom') {
    const custom = recordAt(tool.custom, `${path}.custom`)
    return present({
      name: textAt(custom.name, `${path}.custom.name`),
      description: optionalText(custom.description, `${path}.custom.description`),
      schema: null,
      format: custom.format == null ? undefined : jsonAt(custom.format, `${path}.custom.format`),
      ...readCache(tool, path),
    })
  }
  if (tool.type !== undefined && tool.type !== 'function') {
    hosted.push(`tools[${String(tool.type)}]`)
    return null
  }
  const described = recordAt(tool.function, `${path}.function`)
  return present({
    name: textAt(described.name, `${path}.function.name`),
    description: optionalText(described.description, `${path}.function.description`),
    schema: jsonAt(described.parameters ?? { type: 'object' }, `${path}.function.parameters`),
    isStrict: optionalFlag(described.strict, `${path}.function.strict`),
    ...readCache(tool, path),
  })
}

function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice === undefined || choice === null) return null
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const fields = recordAt(choice, 'tool_choice')
  if (fields.type === 'allowed_tools') {
    const { mode, tools } = recordAt(fields.allowed_tools, 'tool_choice.allowed_tools')
    const names = eachAt(tools, 'tool_choice.allowed_tools.tools', (tool, path) =>
      textAt(recordAt(tool.function, `${path}.function`).name, `${path}.function.name`),
    )
    return { kind: 'allowed', names, isRequired: mode === 'required' }
  }
  const kind = fields.type === 'custom' ? 'custom' : 'function'
  const named = recordAt(fields[kind], `tool_choice.${kind}`)
  return { kind: 'tool', name: textAt(named.name, `tool_choice.${kind}.name`) }
}

function readOptions(body: Fields): Options {
  const ceilings = [
    optionalInteger(body.max_completion_tokens, 'max_completion_tokens', 1),
    optionalInteger(body.max_tokens, 'max_tokens', 1),
  ].filter((tokens) => tokens !== undefined)
  const stop =
    typeof body.stop === 'string' ? [body.stop] : body.stop == null ? [] : textsAt(body.stop, 'stop')
  const hasLogprobs = optionalFlag(body.logprobs, 'logprobs')
  return present({
    maxTokens: ceilings.length > 0 ? Math.min(...ceilings) : undefined,
    temperature: optionalNumber(body.temperature, 'temperature', 0),
    topP: optionalNumber(body.top_p, 'top_p', 0),
    topK: optionalInteger(body.top_k, 'top_k', 0),
    stop: stop.length > 0 ? stop : undefined,
    seed: optionalInteger(body.seed, 'seed', Number.MIN_SAFE_INTEGER),
    count: optionalInteger(body.n, 'n', 1),
    presencePenalty: optionalNumber(body.presence_penalty, 'presence_penalty'),
    frequencyPenalty: optionalNumber(body.frequency_penalty, 'frequency_penalty'),
    logitBias: body.logit_bias == null ? undefined : readBias(recordAt(body.logit_bias, 'logit_bias')),
    logprobs: hasLogprobs ? (optionalInteger(body.top_logprobs, 'top_logprobs', 0) ?? 0) : undefined,
    format: readFormat(body.response_format),
    reasoning: readReasoning(body),
    verbosity: optionalText(body.verbosity, 'verbosity'),
    parallelTools: optionalFlag(body.parallel_tool_calls, 'parallel_tool_calls'),
    user: optionalText(body.safety_identifier ?? body.user, 'user'),
    cacheKey: optionalText(body.prompt_cache_key, 'prompt_cache_key'),
  })
}

function readBias(bias: Fields): Record<string, number> | undefined {
  if (Object.keys(bias).length === 0) return undefined
  for (const value of Object.values(bias))
    if (typeof value !== 'number') throw new WireError('logit_bias', 'must have numbers as values')
  return bias as Record<string, number>
}

/** `reasoning` is the form of OpenRouter; `reasoning_effort` that of OpenAI. */
function readReasoning(body: Fields): Options['reasoning'] {
  const effort = optionalEffort(body.reasoning_effort, 'reasoning_effort')
  if (body.thinking !== undefined && body.thinking !== null) return readThinking(body.thinking, effort)
  if (body.reasoning === undefined || body.reasoning === null)
    return effort === undefined ? undefined : { effort }
  const reasoning = recordAt(body.reasoning, 'reasoning')
  const isEnabled = optionalFlag(reasoning.enabled, 'reasoning.enabled')
  const isHidden = optionalFlag(reasoning.exclude, 'reasoning.exclude')
  const amount = optionalEffort(reasoning.effort, 'reasoning.effort') ?? effort
  const budgetTokens = optionalInteger(reasoning.max_tokens, 'reasoning.max_tokens', 1)
  const isBare = isEnabled && amount === undefined && budgetTokens === undefined
  return present({
    effort: isEnabled === false ? 'none' : amount,
    enabledBy: isBare ? 'reasoning.enabled' : undefined,
    budgetTokens,
    isShown: isHidden === undefined ? undefined : !isHidden,
  })
}

/** The form of Anthropic, which other providers took over. */
function readThinking(value: unknown, effort: string | undefined): Options['reasoning'] {
  const { type, budget_tokens } = recordAt(value, 'thinking')
  if (type === 'disabled') return { effort: 'none' }
  if (type !== 'enabled' && type !== 'auto' && type !== 'adaptive')
    throw new WireError('thinking.type', 'must be "enabled", "auto" or "disabled"')
  const budgetTokens = optionalInteger(budget_tokens, 'thinking.budget_tokens', 1)
  const isBare = effort === undefined && budgetTokens === undefined
  return present({ effort, budgetTokens, enabledBy: isBare ? 'thinking' : undefined, isShown: true })
}

export function readFormat(value: unknown): Options['format'] {
  if (value === undefined || value === null) return undefined
  const format = recordAt(value, 'response_format')
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { kind: 'json' }
  if (format.type !== 'json_schema')
    throw new WireError('response_format.type', 'must be "text", "json_object" or "json_schema"')
  const described = recordAt(format.json_schema, 'response_format.json_schema')
  return present({
    kind: 'schema' as const,
    name: optionalText(described.name, 'response_format.json_schema.name'),
    description: optionalText(described.description, 'response_format.json_schema.description'),
    schema: jsonAt(described.schema ?? {}, 'response_format.json_schema.schema'),
    isStrict: optionalFlag(described.strict, 'response_format.json_schema.strict'),
  })
}
