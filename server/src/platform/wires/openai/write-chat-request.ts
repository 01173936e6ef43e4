// Writes requests of OpenAI's chat completions.
import { createHash } from 'node:crypto'
import {
  type Block,
  type Conversation,
  InexpressibleError,
  type Message,
  type Options,
  type Part,
  type ThinkingBlock,
  type Tool,
  type ToolCallBlock,
  type ToolChoice,
  type ToolResultBlock,
  type WireName,
} from '../conversation.ts'
import { dataUrl, present } from '../values.ts'
import type { Fields, ProviderRequest, TargetOptions } from '../wire.ts'
import { callProof, writeDetails } from './chat-reply.ts'

export function writeRequest(
  conversation: Conversation,
  { model, maxTokens }: TargetOptions,
): ProviderRequest {
  const { options, tools, isStream } = conversation
  const adapted: string[] = []
  // Not every provider of this format knows it, and clients of other formats always send it.
  const isNative = conversation.wire === 'openai-chat'
  if (options.topK !== undefined && !isNative) adapted.push('options.topK')
  const body = present({
    model,
    messages: [
      ...conversation.system.map(({ text }) => ({ role: 'system', content: text })),
      ...conversation.messages.flatMap((message) =>
        writeMessage(message, { adapted, wire: conversation.wire }),
      ),
    ],
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(conversation.toolChoice) : undefined,
    max_completion_tokens: maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: isNative ? options.topK : undefined,
    stop: options.stop,
    seed: options.seed,
    n: options.count,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    logit_bias: options.logitBias,
    logprobs: options.logprobs === undefined ? undefined : true,
    top_logprobs: options.logprobs || undefined,
    response_format: writeFormat(options.format),
    verbosity: options.verbosity,
    parallel_tool_calls: tools.length > 0 ? options.parallelTools : undefined,
    safety_identifier: options.user,
    prompt_cache_key: options.cacheKey,
    ...writeReasoning(options.reasoning, adapted),
    stream: isStream || undefined,
    stream_options: isStream ? { include_usage: true } : undefined,
  })
  return { path: '/chat/completions', headers: {}, body, adapted }
}

const refused = (part: Part): InexpressibleError => new InexpressibleError(part, 'openai-chat')

/** Providers limit the length of ids. */
const ID_MAX = 40
const callId = (id: string): string =>
  id.length <= ID_MAX ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`

type Writing = { readonly adapted: string[]; readonly wire: WireName }

/** Providers that speak this format cache prompts without marks, so the marks are not sent. */
function writeMessage({ role, name, blocks }: Message, writing: Writing): Fields[] {
  const named = name === undefined ? {} : { name }
  if (role === 'system') return [{ role: 'system', content: textOf(blocks), ...named }]
  if (role === 'assistant') return [{ role, ...writeAnswer(blocks, writing), ...named }]
  // Results directly follow their calls, so they come first.
  const results = blocks.filter((block) => block.kind === 'tool_result')
  const media = results.flatMap(({ content }) => content.filter(({ kind }) => kind !== 'text'))
  if (media.length > 0) writing.adapted.push('block.tool_result')
  const rest = blocks.filter(({ kind }) => kind !== 'tool_result')
  const parts = [...media, ...rest].map(writePart)
  return [
    ...results.map(writeResult),
    ...(parts.length > 0 ? [{ role: 'user', content: writeParts(parts), ...named }] : []),
  ]
}

/** A result is text here. Its images follow in a message of the user. */
function writeResult({ callId: id, content, isError }: ToolResultBlock): Fields {
  const texts = content.filter((block) => block.kind === 'text').map(writePart)
  const note = texts.length < content.length ? [{ type: 'text', text: 'The images or files follow.' }] : []
  const error = isError ? [{ type: 'text', text: 'Error:' }] : []
  return { role: 'tool', tool_call_id: callId(id), content: writeParts([...error, ...texts, ...note]) }
}

/** One text is a string, the form that every provider accepts. */
function writeParts(parts: readonly Fields[]): unknown {
  const [first] = parts
  if (!first) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}

const textOf = (blocks: readonly Block[]): string =>
  blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('\n')

function writePart(block: Block): Fields {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image': {
      const url =
        block.source.kind === 'url' ? block.source.url : dataUrl(block.source.mediaType, block.source.data)
      return { type: 'image_url', image_url: { url, ...(block.detail && { detail: block.detail }) } }
    }
    case 'file': {
      if (block.source.kind === 'url') throw refused('block.file.url')
      const file_data = dataUrl(block.source.mediaType, block.source.data)
      return { type: 'file', file: { file_data, ...(block.name !== undefined && { filename: block.name }) } }
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { format: block.format, data: block.data } }
    default:
      throw refused(`block.${block.kind}`)
  }
}

function writeAnswer(blocks: readonly Block[], { wire }: Writing): Fields {
  const texts: Fields[] = []
  const calls: Fields[] = []
  const thoughts: ThinkingBlock[] = []
  for (const block of blocks) {
    if (block.kind === 'text') texts.push({ type: 'text', text: block.text })
    else if (block.kind === 'refusal') texts.push({ type: 'refusal', refusal: block.text })
    else if (block.kind === 'tool_call') calls.push(writeCall(block))
    else if (block.kind === 'thinking') thoughts.push(block)
    else throw refused(`block.${block.kind}`)
  }
  const reasoning = thoughts.map(({ text }) => text).join('')
  // Proofs of another API of this family have no field here.
  const details = wire === 'openai-chat' ? writeDetails(thoughts) : []
  return {
    content: texts.length > 0 ? writeParts(texts) : null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function writeCall({ id, name, arguments: text, isCustom, signature }: ToolCallBlock): Fields {
  const proof = signature === undefined ? {} : callProof(signature)
  if (isCustom) return { id: callId(id), type: 'custom', custom: { name, input: text }, ...proof }
  return { id: callId(id), type: 'function', function: { name, arguments: text }, ...proof }
}

function writeTool({ name, description, schema, isStrict, format }: Tool): Fields {
  if (schema === null) return { type: 'custom', custom: present({ name, description, format }) }
  return { type: 'function', function: present({ name, description, parameters: schema, strict: isStrict }) }
}

function writeToolChoice(choice: ToolChoice | null): unknown {
  if (!choice) return undefined
  if (choice.kind === 'tool') return { type: 'function', function: { name: choice.name } }
  if (choice.kind !== 'allowed') return choice.kind
  const tools = choice.names.map((name) => ({ type: 'function', function: { name } }))
  return { type: 'allowed_tools', allowed_tools: { mode: choice.isRequired ? 'required' : 'auto', tools } }
}

function writeFormat(format: Options['format']): Fields | undefined {
  if (!format) return undefined
  if (format.kind === 'json') return { type: 'json_object' }
  const { name = 'answer', description, schema, isStrict } = format
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict: isStrict }) }
}

/** Budgets become the nearest effort, the only form that every provider of this format knows. */
function writeReasoning(reasoning: Options['reasoning'], adapted: string[]): Fields {
  if (!reasoning) return {}
  const { effort, budgetTokens } = reasoning
  if (effort !== undefined && budgetTokens !== undefined) adapted.push('reasoning.budgetTokens')
  if (effort === 'max') {
    adapted.push('reasoning.effort')
    return { reasoning_effort: 'high' }
  }
  if (effort !== undefined) return { reasoning_effort: effort }
  if (budgetTokens === undefined) return {}
  adapted.push('reasoning.budgetTokens')
  return { reasoning_effort: budgetTokens <= 2_048 ? 'low' : budgetTokens <= 12_288 ? 'medium' : 'high' }
}
