// Writes requests of OpenAI's chat completions.
import {
  type Block,
  type Conversation,
  InexpressibleError,
  type Message,
  type Options,
  type Part,
  type Tool,
  type ToolCallBlock,
  type ToolChoice,
} from '../conversation.ts'
import { dataUrl, present } from '../values.ts'
import type { Fields, ProviderRequest, TargetOptions } from '../wire.ts'

export function writeRequest(
  conversation: Conversation,
  { model, maxTokens }: TargetOptions,
): ProviderRequest {
  const { options, tools, isStream } = conversation
  const adapted: string[] = []
  const body = present({
    model,
    messages: [
      ...conversation.system.map(({ text }) => ({ role: 'system', content: text })),
      ...conversation.messages.flatMap((message) => writeMessage(message, adapted)),
    ],
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(conversation.toolChoice) : undefined,
    max_completion_tokens: maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
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

/** Providers that speak this format cache prompts without marks, so the marks are not sent. */
function writeMessage({ role, name, blocks }: Message, adapted: string[]): Fields[] {
  const named = name === undefined ? {} : { name }
  if (role === 'system') return [{ role: 'system', content: textOf(blocks), ...named }]
  if (role === 'assistant') return [{ role, ...writeAnswer(blocks, adapted), ...named }]
  const written: Fields[] = []
  let parts: Fields[] = []
  const flush = () => {
    if (parts.length > 0) written.push({ role: 'user', content: writeParts(parts), ...named })
    parts = []
  }
  for (const block of blocks) {
    if (block.kind === 'tool_result') {
      flush()
      const content = block.content.map((each) => writePart(each))
      const text = block.isError ? [{ type: 'text', text: 'Error:' }, ...content] : content
      written.push({ role: 'tool', tool_call_id: block.callId, content: writeParts(text) })
    } else parts.push(writePart(block))
  }
  flush()
  return written
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

function writeAnswer(blocks: readonly Block[], adapted: string[]): Fields {
  const texts: Fields[] = []
  const calls: Fields[] = []
  let reasoning = ''
  for (const block of blocks) {
    if (block.kind === 'text') texts.push({ type: 'text', text: block.text })
    else if (block.kind === 'refusal') texts.push({ type: 'refusal', refusal: block.text })
    else if (block.kind === 'tool_call') calls.push(writeCall(block))
    else if (block.kind === 'thinking') {
      reasoning += block.text
      // Signatures and encrypted reasoning are proofs for one provider. This format has no field for them.
      if (block.signature !== undefined || block.redacted !== undefined) adapted.push('block.thinking')
    } else throw refused(`block.${block.kind}`)
  }
  return {
    content: texts.length > 0 ? writeParts(texts) : null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function writeCall({ id, name, arguments: text, isCustom }: ToolCallBlock): Fields {
  if (isCustom) return { id, type: 'custom', custom: { name, input: text } }
  return { id, type: 'function', function: { name, arguments: text } }
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
  if (effort !== undefined) return { reasoning_effort: effort }
  if (budgetTokens === undefined) return {}
  adapted.push('reasoning.budgetTokens')
  return { reasoning_effort: budgetTokens <= 2_048 ? 'low' : budgetTokens <= 12_288 ? 'medium' : 'high' }
}
