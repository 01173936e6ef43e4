// The request fields that are passed on to the upstream. Others are dropped: some would choose another model, store data
// there, or order paid services on our account.

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
  'verbosity',
  'temperature',
  'top_p',
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
