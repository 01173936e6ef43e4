// The fields of OpenAI's Responses API.
import type { Part } from '../conversation.ts'
import { type FieldTable, only } from '../fields.ts'

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
const PART: FieldTable = {
  type: true,
  text: true,
  refusal: true,
  image_url: true,
  detail: true,
  file_id: true,
  file_url: true,
  file_data: true,
  filename: true,
  annotations: isEmptyList,
  logprobs: isEmptyList,
}

export const TABLE: FieldTable = {
  model: true,
  instructions: true,
  input: {
    type: true,
    id: true,
    status: true,
    role: true,
    content: PART,
    call_id: true,
    name: true,
    arguments: true,
    input: true,
    output: PART,
    summary: true,
    encrypted_content: true,
  },
  stream: true,
  stream_options: { include_obfuscation: only(false) },
  max_output_tokens: true,
  temperature: true,
  top_p: true,
  top_k: true,
  top_logprobs: true,
  stop: true,
  seed: true,
  text: {
    format: { type: true, name: true, description: true, schema: true, strict: true },
    verbosity: true,
  },
  reasoning: { effort: true, summary: true, generate_summary: true },
  tools: { type: true, name: true, description: true, parameters: true, strict: true, format: true },
  tool_choice: true,
  parallel_tool_calls: true,
  user: true,
  safety_identifier: true,
  prompt_cache_key: true,
  include: (value) =>
    Array.isArray(value) &&
    value.every((each) => each === 'reasoning.encrypted_content' || each === 'message.output_text.logprobs'),
  // Repeated in the reply.
  metadata: true,
  background: ['must be omitted: background work is not supported', false],
  conversation: [
    'must be omitted: conversations are not supported; use previous_response_id, or send the whole conversation',
  ],
  // Loaded before the request is read.
  previous_response_id: true,
  prompt: ['must be omitted: prompts are not stored, so send the instructions'],
  context_management: false,
  max_tool_calls: false,
  prompt_cache_retention: false,
  service_tier: false,
  store: true,
  truncation: only('disabled'),
}

const FIELDS: Partial<Record<Part, string>> = {
  'options.maxTokens': 'max_output_tokens',
  'options.topP': 'top_p',
  'options.topK': 'top_k',
  'options.logprobs': 'top_logprobs',
  'options.format': 'text.format',
  'options.verbosity': 'text.verbosity',
  'options.reasoning': 'reasoning',
  'reasoning.effort': 'reasoning.effort',
  'reasoning.budgetTokens': 'reasoning.max_tokens',
  'options.parallelTools': 'parallel_tool_calls',
  'options.cacheKey': 'prompt_cache_key',
  'block.image': 'input[].content[].input_image',
  'block.image.detail': 'input[].content[].detail',
  'block.image.url': 'input[].content[].image_url',
  'block.file': 'input[].content[].input_file',
  'block.file.url': 'input[].content[].file_url',
  'block.thinking': 'input[].reasoning',
  'block.tool_call.arguments': 'input[].arguments',
  'block.tool_result': 'input[].call_id',
  'tool.custom': 'tools[].custom',
  'toolChoice.allowed': 'tool_choice.allowed_tools',
}

export const fieldOf = (part: Part): string => FIELDS[part] ?? part.replace(/^options\./, '')
