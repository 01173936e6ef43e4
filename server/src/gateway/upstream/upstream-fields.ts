// The request fields that are passed on to the upstream. Others are dropped and named in the reply: some would choose another
// model, store data there, or order paid services on our account.
import { type FieldTable, ignoredFields, only } from '../../platform/wires/fields.ts'

type Fields = Record<string, unknown>

const CHAT = [
  'messages',
  'stream_options',
  'n',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'verbosity',
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'stop',
  'seed',
  'user',
  'safety_identifier',
  'prompt_cache_key',
] as const

const RESPONSES = [
  'input',
  'instructions',
  'include',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'text',
  'reasoning',
  'temperature',
  'top_p',
  'top_k',
  'top_logprobs',
  'truncation',
  'user',
  'safety_identifier',
  'prompt_cache_key',
] as const

const EMBEDDINGS = ['input', 'dimensions', 'encoding_format', 'user'] as const

/** The caller adds model, ceiling and stream. */
export const chatFields = (asked: Fields): Fields => withSupportedTools(pick(asked, CHAT))
export const responsesFields = (asked: Fields): Fields => withSupportedTools(pick(asked, RESPONSES))
export const embeddingsFields = (asked: Fields): Fields => pick(asked, EMBEDDINGS)

/** Passed on, or set by the service. A value that changes nothing is not named either. */
const tableOf = (passed: readonly string[], own: FieldTable = {}): FieldTable => ({
  ...Object.fromEntries(passed.map((name) => [name, true])),
  model: true,
  stream: true,
  store: only(false),
  service_tier: only('auto', 'default'),
  ...own,
})
const CHAT_TABLE = tableOf(CHAT, { max_tokens: true, max_completion_tokens: true })
const RESPONSES_TABLE = tableOf(RESPONSES, {
  max_output_tokens: true,
  background: only(false),
  previous_response_id: true,
})
const EMBEDDINGS_TABLE = tableOf(EMBEDDINGS)

/** The dropped fields, for the header `x-cowrie-ignored`. */
export const ignoredChatFields = (asked: Fields): readonly string[] => ignoredIn(asked, CHAT_TABLE)
/** With `isStored`, the stored response has the fields that only concern storing. */
export const ignoredResponsesFields = (asked: Fields, isStored: boolean): readonly string[] =>
  ignoredIn(asked, isStored ? { ...RESPONSES_TABLE, store: true, metadata: true } : RESPONSES_TABLE)
export const ignoredEmbeddingsFields = (asked: Fields): readonly string[] =>
  ignoredIn(asked, EMBEDDINGS_TABLE)

const ignoredIn = (asked: Fields, table: FieldTable): readonly string[] =>
  ignoredFields(asked, table, droppedTools(asked))

function droppedTools({ tools, tool_choice }: Fields): readonly string[] {
  if (!Array.isArray(tools)) return []
  const dropped = (tools as Fields[]).filter((tool) => !isSupportedTool(tool)).map(nameOfTool)
  const isChoiceDropped =
    dropped.length > 0 && dropped.length === tools.length && tool_choice != null && tool_choice !== 'auto'
  return isChoiceDropped ? [...dropped, 'tool_choice'] : dropped
}

const nameOfTool = (tool: Fields): string => `tools[${String(tool.type ?? Object.keys(tool)[0])}]`

function pick(asked: Fields, names: readonly string[]): Fields {
  const passed: Fields = {}
  for (const name of names) if (asked[name] !== undefined) passed[name] = asked[name]
  return passed
}

/** Hosted tools of an upstream have their own prices and are not offered to the model. */
function withSupportedTools(fields: Fields): Fields {
  if (!Array.isArray(fields.tools)) return fields
  const tools = (fields.tools as Fields[]).filter(isSupportedTool)
  if (tools.length === fields.tools.length) return fields
  if (tools.length > 0) return { ...fields, tools }
  const { tools: _, tool_choice, parallel_tool_calls, ...rest } = fields
  return rest
}

const isSupportedTool = ({ type, function: described }: Fields): boolean =>
  type === 'function' || type === 'custom' || (type === undefined && described !== undefined)
