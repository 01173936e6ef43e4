// Converts a request of the Responses API to a chat completion request.
import { invalidFields } from '../../kernel/errors.ts'
import type { ResponsesRequest } from '../schema.ts'

type Fields = Record<string, unknown>
export type ChatMessage = Fields & { role: string; content: unknown; tool_calls?: Fields[] }
export type ChatBody = Fields & { messages: ChatMessage[]; tools?: Fields[] }

/** Fields with the same name and meaning in both APIs, which every upstream accepts. */
const SAME = ['temperature', 'top_p', 'user', 'seed', 'stop'] as const

/** The caller adds model, stream and ceiling. */
export function toChat(asked: ResponsesRequest): ChatBody {
  const tools = (asked.tools ?? []).flatMap(toolOf)
  const same = SAME.filter((name) => asked[name] !== undefined && asked[name] !== null)
  return {
    ...Object.fromEntries(same.map((name) => [name, asked[name]])),
    messages: messagesOf(asked),
    ...(tools.length > 0 && { tools, ...toolUseOf(asked) }),
    ...formatOf(asked.text),
    ...effortOf(asked.reasoning),
  }
}

function messagesOf({ instructions, input }: ResponsesRequest): ChatMessage[] {
  const messages: ChatMessage[] = instructions ? [{ role: 'system', content: instructions }] : []
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }]
  for (const [place, item] of input.entries()) addItem(messages, item, `input.${place}`)
  if (messages.every(({ role }) => role === 'system'))
    throw invalidFields({ path: 'input', message: 'must contain a message' })
  return messages
}

function addItem(messages: ChatMessage[], item: Fields, path: string): void {
  switch (item.type ?? 'message') {
    case 'message':
      messages.push({ role: roleOf(item.role), content: contentOf(item.content, `${path}.content`) })
      return
    case 'function_call':
      addCall(messages, item)
      return
    case 'function_call_output':
      messages.push({
        role: 'tool',
        tool_call_id: item.call_id,
        content: contentOf(item.output, `${path}.output`),
      })
      return
    case 'item_reference':
      throw invalidFields({ path, message: 'must be the complete item, because nothing is stored' })
    default:
    // Reasoning items and hosted tool calls are dropped: no model here can read them.
  }
}

/** Parallel calls belong to one message, together with its text. */
function addCall(messages: ChatMessage[], { call_id, name, arguments: given }: Fields): void {
  const call = { id: call_id, type: 'function', function: { name, arguments: given } }
  const last = messages.at(-1)
  if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
  else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
}

/** Not every model knows the developer role. */
const roleOf = (role: unknown): string => (role === 'developer' ? 'system' : String(role ?? 'user'))

/** Pure text becomes a string, which every upstream accepts. Content with images stays a list of parts. */
function contentOf(content: unknown, path: string): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw invalidFields({ path, message: 'must be a text or a list of parts' })
  const parts = content.map((part: Fields, place) => partOf(part, `${path}.${place}`))
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

function partOf(part: Fields, path: string): Fields {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'input_image':
      return { type: 'image_url', image_url: { url: part.image_url, detail: part.detail ?? 'auto' } }
    default:
      throw invalidFields({ path: `${path}.type`, message: 'must be input_text, output_text or input_image' })
  }
}

/** Hosted tools are not available and are not offered to the model. */
function toolOf(tool: Fields): Fields[] {
  if (tool.type !== 'function') return []
  const { type, ...described } = tool
  return [{ type, function: described }]
}

function toolUseOf({ tool_choice: choice, parallel_tool_calls: parallel }: ResponsesRequest): Fields {
  const isNamed = choice !== null && typeof choice === 'object' && 'name' in choice
  const wanted = isNamed ? { type: 'function', function: { name: choice.name } } : choice
  return {
    ...((isNamed || typeof choice === 'string') && { tool_choice: wanted }),
    ...(typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
  }
}

function formatOf(text: unknown): Fields {
  const format = fieldOf(text, 'format') as Fields | undefined
  if (format?.type === 'json_object') return { response_format: { type: 'json_object' } }
  if (format?.type !== 'json_schema') return {}
  const { type, ...described } = format
  return { response_format: { type, json_schema: described } }
}

function effortOf(reasoning: unknown): Fields {
  const effort = fieldOf(reasoning, 'effort')
  return typeof effort === 'string' ? { reasoning_effort: effort } : {}
}

const fieldOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Fields)[name] : undefined
