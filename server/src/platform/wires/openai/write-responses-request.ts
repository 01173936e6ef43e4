// Writes requests of OpenAI's Responses API.
import {
  type Block,
  type Conversation,
  InexpressibleError,
  type Message,
  type Options,
  type Part,
  type Tool,
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
  const absent = ['stop', 'seed', 'presencePenalty', 'frequencyPenalty', 'logitBias'] as const
  for (const part of absent)
    if (options[part] !== undefined && options[part] !== 0) throw refused(`options.${part}`)
  if ((options.count ?? 1) !== 1) throw refused('options.count')
  const { reasoning } = options
  if (reasoning?.budgetTokens !== undefined && reasoning.effort === undefined)
    adapted.push('reasoning.budgetTokens')
  const body = present({
    model,
    instructions:
      conversation.system.length > 0 ? conversation.system.map(({ text }) => text).join('\n\n') : undefined,
    input: conversation.messages.flatMap(writeMessage),
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(conversation.toolChoice) : undefined,
    max_output_tokens: maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    top_logprobs: options.logprobs,
    text: writeText(options),
    reasoning:
      reasoning &&
      present({
        effort: effortOf(reasoning),
        summary: reasoning.summary ?? (reasoning.isShown ? 'auto' : undefined),
      }),
    include: reasoning ? ['reasoning.encrypted_content'] : undefined,
    parallel_tool_calls: tools.length > 0 ? options.parallelTools : undefined,
    safety_identifier: options.user,
    prompt_cache_key: options.cacheKey,
    store: false,
    stream: isStream || undefined,
  })
  return { path: '/responses', headers: {}, body, adapted }
}

const refused = (part: Part): InexpressibleError => new InexpressibleError(part, 'openai-responses')

function effortOf({ effort, budgetTokens }: NonNullable<Options['reasoning']>): string | undefined {
  if (effort !== undefined || budgetTokens === undefined) return effort
  return budgetTokens <= 2_048 ? 'low' : budgetTokens <= 12_288 ? 'medium' : 'high'
}

function writeMessage({ role, name, blocks }: Message): Fields[] {
  if (name !== undefined) throw refused('message.name')
  const items: Fields[] = []
  let content: Fields[] = []
  const flush = () => {
    if (content.length > 0)
      items.push({ type: 'message', role: role === 'system' ? 'developer' : role, content })
    content = []
  }
  for (const block of blocks) {
    const item = writeItem(block)
    if (item) {
      flush()
      items.push(item)
    } else content.push(writePart(block, role === 'assistant'))
  }
  flush()
  return items
}

/** Blocks that are separate items. */
function writeItem(block: Block): Fields | null {
  if (block.kind === 'tool_call') {
    const called = { call_id: block.id, name: block.name }
    return block.isCustom
      ? { type: 'custom_tool_call', ...called, input: block.arguments }
      : { type: 'function_call', ...called, arguments: block.arguments }
  }
  if (block.kind === 'tool_result') {
    const parts = block.content.map((each) => writePart(each, false))
    const [first] = parts
    const output = parts.length === 1 && first?.type === 'input_text' ? first.text : parts
    return {
      type: block.isCustom ? 'custom_tool_call_output' : 'function_call_output',
      call_id: block.callId,
      output,
    }
  }
  if (block.kind !== 'thinking') return null
  if (block.redacted !== undefined) throw refused('block.thinking')
  return present({
    type: 'reasoning',
    id: block.id,
    summary: block.text === '' ? [] : [{ type: 'summary_text', text: block.text }],
    encrypted_content: block.signature,
  })
}

function writePart(block: Block, isAnswer: boolean): Fields {
  switch (block.kind) {
    case 'text':
      return {
        type: isAnswer ? 'output_text' : 'input_text',
        text: block.text,
        ...(isAnswer && { annotations: [] }),
      }
    case 'refusal':
      return { type: 'refusal', refusal: block.text }
    case 'image': {
      const { source, detail = 'auto' } = block
      return {
        type: 'input_image',
        image_url: source.kind === 'url' ? source.url : dataUrl(source.mediaType, source.data),
        detail,
      }
    }
    case 'file': {
      const { source, name } = block
      const data =
        source.kind === 'url'
          ? { file_url: source.url }
          : { file_data: dataUrl(source.mediaType, source.data) }
      return { type: 'input_file', ...data, ...(name !== undefined && { filename: name }) }
    }
    default:
      throw refused(`block.${block.kind}`)
  }
}

function writeTool({ name, description, schema, isStrict, format }: Tool): Fields {
  if (schema === null) return present({ type: 'custom', name, description, format })
  return present({ type: 'function', name, description, parameters: schema, strict: isStrict ?? false })
}

function writeToolChoice(choice: ToolChoice | null): unknown {
  if (!choice) return undefined
  if (choice.kind === 'tool') return { type: 'function', name: choice.name }
  if (choice.kind !== 'allowed') return choice.kind
  const tools = choice.names.map((name) => ({ type: 'function', name }))
  return { type: 'allowed_tools', mode: choice.isRequired ? 'required' : 'auto', tools }
}

function writeText({ format, verbosity }: Options): Fields | undefined {
  if (!format && verbosity === undefined) return undefined
  const written = !format
    ? undefined
    : format.kind === 'json'
      ? { type: 'json_object' }
      : present({
          type: 'json_schema',
          name: format.name ?? 'answer',
          description: format.description,
          schema: format.schema,
          strict: format.isStrict,
        })
  return present({ format: written, verbosity })
}
