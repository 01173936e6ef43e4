// The requests that Anthropic refuses, with its messages.
import { createHash } from 'node:crypto'
import { type FakeRequest, isBase64 } from './fake-reply.ts'

export type Refusal = { readonly status: number; readonly message: string }
type Fields = Record<string, unknown>
type Options = { readonly combinesTurns?: boolean }
type MessageOptions = Options & { readonly betas: string }

class Invalid extends Error {}
function refuse(message: string): never {
  throw new Invalid(message)
}

/** The refusal of a request that Anthropic would not accept. */
export function anthropicRefusal(request: FakeRequest, options: Options): Refusal | undefined {
  const { headers, path } = request
  const key = headers['x-api-key']
  if (typeof key !== 'string' || key === '') return { status: 401, message: 'x-api-key header is required' }
  if (typeof headers['anthropic-version'] !== 'string')
    return { status: 400, message: 'anthropic-version: header is required' }
  if (path !== '/messages' && path !== '/messages/count_tokens') return undefined
  if (request.method !== 'POST') return { status: 405, message: 'Method Not Allowed' }
  try {
    checkFields(request, path === '/messages/count_tokens')
    checkSystem(request.body.system)
    checkTools(request.body)
    checkThinking(request.body)
    checkSampling(request.body)
    checkMessages(request.body, { ...options, betas: String(headers['anthropic-beta'] ?? '') })
    checkCacheMarks(request.body)
  } catch (error) {
    if (error instanceof Invalid) return { status: 400, message: error.message }
    throw error
  }
  return undefined
}

const COUNTED = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
]
const FIELDS = [
  ...COUNTED,
  ...['max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata', 'service_tier'],
  'inference_geo',
]
const BETA_FIELDS = [
  'context_management',
  'container',
  'mcp_servers',
  'output_format',
  'speed',
  'diagnostics',
]

function checkFields({ headers, body }: FakeRequest, isCount: boolean): void {
  const allowed = [...(isCount ? COUNTED : FIELDS), ...(headers['anthropic-beta'] ? BETA_FIELDS : [])]
  for (const name of Object.keys(body))
    if (!allowed.includes(name)) refuse(`${name}: Extra inputs are not permitted`)
  if (typeof body.model !== 'string' || body.model === '') refuse('model: Field required')
  if (isCount) return
  if (body.max_tokens === undefined) refuse('max_tokens: Field required')
  if (!isCountNumber(body.max_tokens) || Number(body.max_tokens) < 1)
    refuse('max_tokens: Input should be greater than or equal to 1')
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    refuse('stream: Input should be a valid boolean')
  const metadata = body.metadata
  if (
    metadata !== undefined &&
    (!isRecord(metadata) || Object.keys(metadata).some((name) => name !== 'user_id'))
  )
    refuse('metadata: Extra inputs are not permitted')
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === 'string') return
  if (!Array.isArray(system)) refuse('system: Input should be a valid list')
  system.forEach((block: unknown, at) => {
    if (!isRecord(block) || block.type !== 'text') refuse(`system.${at}.type: Input should be 'text'`)
    else if (typeof block.text !== 'string' || block.text === '')
      refuse('system: text content blocks must be non-empty')
  })
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/

function checkTools({ tools, tool_choice: choice }: Fields): void {
  if (choice !== undefined) checkToolChoice(choice, tools)
  if (tools === undefined) return
  if (!Array.isArray(tools)) refuse('tools: Input should be a valid list')
  const names = tools.map((tool: unknown, at) => checkTool(tool, `tools.${at}`))
  if (new Set(names).size !== names.length) refuse('tools: Tool names must be unique.')
}

const TOOL_FIELDS = [
  'name',
  'description',
  'input_schema',
  'type',
  'cache_control',
  'strict',
  'defer_loading',
  'allowed_callers',
  'input_examples',
  'eager_input_streaming',
]

function checkTool(tool: unknown, at: string): unknown {
  if (!isRecord(tool)) return refuse(`${at}: Input should be a valid dictionary`)
  if (typeof tool.name !== 'string' || !TOOL_NAME.test(tool.name))
    refuse(`${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
  // Tools of the provider have a dated type and their own fields.
  if (tool.type !== undefined && tool.type !== 'custom') return tool.name
  for (const name of Object.keys(tool))
    if (!TOOL_FIELDS.includes(name)) refuse(`${at}.custom.${name}: Extra inputs are not permitted`)
  const schema = tool.input_schema
  if (!isRecord(schema)) return refuse(`${at}.custom.input_schema: Field required`)
  if (schema.type !== 'object') refuse(`${at}.custom.input_schema.type: Input should be 'object'`)
  return tool.name
}

function checkToolChoice(choice: unknown, tools: unknown): void {
  if (!isRecord(choice) || !['auto', 'any', 'tool', 'none'].includes(String(choice.type)))
    refuse("tool_choice: Input tag must be one of: 'auto', 'any', 'tool', 'none'")
  if (!Array.isArray(tools) || tools.length === 0)
    refuse('tool_choice: may only be specified while providing tools')
  if (choice.type === 'tool' && !(tools as Fields[]).some((tool) => tool.name === choice.name))
    refuse(`tool_choice: Tool '${String(choice.name)}' not found in provided tools`)
}

const isThinking = (body: Fields): boolean =>
  isRecord(body.thinking) && (body.thinking.type === 'enabled' || body.thinking.type === 'adaptive')

function checkThinking(body: Fields): void {
  const { thinking } = body
  if (thinking === undefined) return
  if (!isRecord(thinking) || !['enabled', 'disabled', 'adaptive'].includes(String(thinking.type)))
    refuse("thinking: Input tag must be one of: 'adaptive', 'disabled', 'enabled'")
  if (!isThinking(body)) return
  const budget = thinking.budget_tokens
  if (thinking.type === 'enabled') {
    if (!isCountNumber(budget)) refuse('thinking.enabled.budget_tokens: Field required')
    if (Number(budget) < 1024)
      refuse('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
    if (body.max_tokens !== undefined && Number(budget) >= Number(body.max_tokens))
      refuse('`max_tokens` must be greater than `thinking.budget_tokens`.')
  }
  if (body.temperature !== undefined && body.temperature !== 1)
    refuse('`temperature` may only be set to 1 when thinking is enabled.')
  if (body.top_k !== undefined) refuse('`top_k` must be unset when thinking is enabled.')
  if (isRecord(body.tool_choice) && ['any', 'tool'].includes(String(body.tool_choice.type)))
    refuse('Thinking may not be enabled when tool_choice forces tool use.')
}

function checkSampling({ temperature, top_p: topP, top_k: topK, stop_sequences: stops }: Fields): void {
  for (const [name, value] of [
    ['temperature', temperature],
    ['top_p', topP],
  ] as const)
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 1))
      refuse(`${name}: range: 0..1`)
  if (topK !== undefined && !isCountNumber(topK)) refuse('top_k: Input should be a valid integer')
  if (stops === undefined) return
  if (!Array.isArray(stops)) refuse('stop_sequences: Input should be a valid list')
  if (stops.some((stop) => typeof stop !== 'string' || stop.trim() === ''))
    refuse('stop_sequences: each stop sequence must contain non-whitespace')
}

function checkMessages(body: Fields, { combinesTurns, betas }: MessageOptions): void {
  const { messages } = body
  if (!Array.isArray(messages)) refuse('messages: Field required')
  if (messages.length === 0) refuse('messages: at least one message is required')
  const turns = messages
    .map((message: unknown, at) => checkMessage(message, at, at === messages.length - 1, betas))
    .filter(({ role }) => role !== 'system')
  if (turns[0]?.role !== 'user') refuse('messages: first message must use the "user" role')
  turns.forEach((turn, at) => {
    if (!combinesTurns && turn.role === turns[at - 1]?.role)
      refuse(
        `messages: roles must alternate between "user" and "assistant", but found multiple "${turn.role}" roles in a row`,
      )
  })
  checkPairs(combinesTurns ? combine(turns) : turns)
  if (isRecord(body.thinking) && body.thinking.type === 'enabled') checkLastThinking(turns)
}

type Turn = { readonly role: string; readonly blocks: readonly Fields[] }

function checkMessage(message: unknown, at: number, isLast: boolean, betas: string): Turn {
  if (!isRecord(message)) return refuse(`messages.${at}: Input should be a valid dictionary`)
  const { role, content, ...rest } = message
  for (const name of Object.keys(rest))
    if (!(name === 'output_config' && betas.includes('per-turn-control')))
      refuse(`messages.${at}.${name}: Extra inputs are not permitted`)
  const mayBeSystem = at > 0 && betas.includes('mid-conversation')
  if (role !== 'user' && role !== 'assistant' && !(role === 'system' && mayBeSystem))
    return refuse(
      `messages: Unexpected role "${String(role)}". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
    )
  if (content === undefined) return refuse(`messages.${at}.content: Field required`)
  const mayBeEmpty = isLast && role === 'assistant'
  if ((content === '' || (Array.isArray(content) && content.length === 0)) && !mayBeEmpty)
    refuse(
      `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
    )
  if (typeof content === 'string') {
    if (mayBeEmpty) checkTrailingSpace(content)
    return { role, blocks: [{ type: 'text', text: content }] }
  }
  if (!Array.isArray(content)) return refuse(`messages.${at}.content: Input should be a valid list`)
  const blocks = content.map((block: unknown, index) =>
    checkBlock(block, role, `messages.${at}.content.${index}`),
  )
  const last = blocks.at(-1)
  if (mayBeEmpty && last?.type === 'text') checkTrailingSpace(String(last.text))
  return { role, blocks }
}

function checkTrailingSpace(text: string): void {
  if (text !== text.trimEnd()) refuse('messages: final assistant content cannot end with trailing whitespace')
}

const USER_BLOCKS = ['text', 'image', 'document', 'tool_result', 'search_result', 'container_upload']
const ASSISTANT_BLOCKS = [
  'text',
  'tool_use',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
]
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  user: USER_BLOCKS,
  assistant: ASSISTANT_BLOCKS,
  system: ['text'],
}

function checkBlock(block: unknown, role: string, at: string): Fields {
  if (!isRecord(block)) return refuse(`${at}: Input should be a valid dictionary`)
  const type = String(block.type)
  const allowed = BLOCKS[role] ?? []
  if (!allowed.includes(type))
    refuse(`${at}.type: Input tag '${type}' found using 'type' is not allowed here`)
  if (type === 'text') checkText(block, at)
  if (type === 'image') checkImage(block.source, at)
  if (type === 'tool_use') checkToolUse(block, at)
  if (type === 'tool_result') checkToolResult(block, at)
  if (type === 'thinking') checkSignature(block, at)
  return block
}

function checkText({ text, type: _, cache_control: __, citations: ___, ...rest }: Fields, at: string): void {
  for (const name of Object.keys(rest)) refuse(`${at}.text.${name}: Extra inputs are not permitted`)
  if (typeof text !== 'string') refuse(`${at}.text.text: Field required`)
  if (text === '') refuse('messages: text content blocks must be non-empty')
  if (text.trim() === '') refuse('messages: text content blocks must contain non-whitespace text')
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

function checkImage(source: unknown, at: string): void {
  if (!isRecord(source)) refuse(`${at}.image.source: Field required`)
  if (source.type === 'url' || source.type === 'file') return
  if (source.type !== 'base64') refuse(`${at}.image.source.type: Input should be 'base64', 'url' or 'file'`)
  if (!IMAGE_TYPES.includes(String(source.media_type)))
    refuse(`${at}.image.source.base64.media_type: Input should be ${IMAGE_TYPES.join(', ')}`)
  if (typeof source.data !== 'string' || source.data === '' || !isBase64(source.data))
    refuse(`${at}.image.source.base64.data: Invalid base64 data`)
}

const CALL_ID = /^[a-zA-Z0-9_-]+$/

function checkToolUse({ id, name, input }: Fields, at: string): void {
  if (typeof id !== 'string' || !CALL_ID.test(id))
    refuse(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  if (typeof name !== 'string' || name === '') refuse(`${at}.tool_use.name: Field required`)
  if (!isRecord(input)) refuse(`${at}.tool_use.input: Input should be a valid dictionary`)
}

function checkToolResult({ tool_use_id: id, content }: Fields, at: string): void {
  if (typeof id !== 'string' || !CALL_ID.test(id)) refuse(`${at}.tool_result.tool_use_id: Field required`)
  if (content === undefined || typeof content === 'string') return
  if (!Array.isArray(content)) refuse(`${at}.tool_result.content: Input should be a valid list`)
  content.forEach((block: unknown, index) => {
    const place = `${at}.tool_result.content.${index}`
    if (
      !isRecord(block) ||
      !['text', 'image', 'document', 'search_result', 'tool_reference'].includes(String(block.type))
    )
      refuse(`${place}.type: Input should be 'text' or 'image'`)
    else if (block.type === 'text') checkText(block, place)
    else if (block.type === 'image') checkImage(block.source, place)
  })
}

/** The signature that the fake gives to a thinking block, and that it requires when the block comes back. */
export const thinkingSignature = (thinking: string): string =>
  createHash('sha256').update(`signed by the fake: ${thinking}`).digest('base64')

function checkSignature({ thinking, signature }: Fields, at: string): void {
  if (typeof thinking !== 'string') refuse(`${at}.thinking.thinking: Field required`)
  if (typeof signature !== 'string') refuse(`${at}.thinking.signature: Field required`)
  if (signature !== thinkingSignature(thinking)) refuse(`${at}: Invalid \`signature\` in \`thinking\` block`)
}

/** Turns of one role count as one. */
function combine(turns: readonly Turn[]): Turn[] {
  const combined: Turn[] = []
  for (const turn of turns) {
    const last = combined.at(-1)
    if (last?.role === turn.role)
      combined.splice(-1, 1, { role: turn.role, blocks: [...last.blocks, ...turn.blocks] })
    else combined.push(turn)
  }
  return combined
}

/** Each call has its result in the next turn, and each result has its call in the previous one. */
function checkPairs(turns: readonly Turn[]): void {
  turns.forEach(({ role, blocks }, at) => {
    if (role === 'assistant') return
    const calls = idsIn(turns[at - 1]?.blocks ?? [], 'tool_use', 'id')
    const results = idsIn(blocks, 'tool_result', 'tool_use_id')
    const stray = results.find((id) => !calls.includes(id))
    if (stray !== undefined)
      refuse(
        `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    const missing = calls.filter((id) => !results.includes(id))
    if (missing.length > 0)
      refuse(
        `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}.`,
      )
    if (new Set(results).size !== results.length)
      refuse(`messages.${at}: each tool_use must have a single result.`)
    if (calls.length > 0 && blocks.slice(0, results.length).some((block) => block.type !== 'tool_result'))
      refuse(`messages.${at}: \`tool_result\` blocks must come first in the content.`)
  })
}

const idsIn = (blocks: readonly Fields[], type: string, field: string): string[] =>
  blocks.filter((block) => block.type === type).map((block) => String(block[field]))

/** With thinking, a turn that called tools begins with its thinking. */
function checkLastThinking(turns: readonly Turn[]): void {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const blocks = turns[last]?.blocks ?? []
  const isInToolLoop = blocks.some((block) => block.type === 'tool_use')
  const first = String(blocks[0]?.type)
  if (isInToolLoop && first !== 'thinking' && first !== 'redacted_thinking')
    refuse(
      `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    )
}

function checkCacheMarks({ system, messages, tools }: Fields): void {
  const marks = JSON.stringify([system, messages, tools]).match(/"cache_control":\{/g)?.length ?? 0
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCountNumber = (value: unknown): boolean => Number.isInteger(value)
