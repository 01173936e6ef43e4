// Answers in the shapes of the Anthropic Messages API.
import { type Answer, type Case, piecesOf, type Usage } from './cases.ts'
import type { Abilities } from './expected.ts'

type Fields = Record<string, unknown>
const MODEL = 'claude-sonnet-4-5-20250929'
const idOf = (number: number): string => `msg_01${String(number).padStart(6, '0')}`

export const abilities: Abilities = {
  model: MODEL,
  idOf,
  hasSignatures: () => true,
  hasRedacted: true,
  hasRefusals: false,
  hasStopSequences: true,
  hasLogprobs: false,
  hasReasoningUsage: false,
  hasCacheWrites: true,
  hasChoices: false,
}

const REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const
const CITATION = {
  type: 'char_location',
  cited_text: 'The grass is green.',
  document_index: 0,
  document_title: 'Example',
  start_char_index: 0,
  end_char_index: 19,
}

const usageOf = ({ input, cached, written, output }: Usage, hasExtras: boolean): Fields => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
  output_tokens: output,
  ...(hasExtras && {
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
  }),
})

function blocksOf({ thoughts, text, refusal, calls }: Answer, hasExtras: boolean): Fields[] {
  const said = [text, refusal].filter((each) => each !== '')
  return [
    ...thoughts.map(({ text: thinking, signature = '', redacted }) =>
      redacted === undefined
        ? { type: 'thinking', thinking, signature }
        : { type: 'redacted_thinking', data: redacted },
    ),
    ...said.map((each) => ({ type: 'text', text: each, ...(hasExtras && { citations: [CITATION] }) })),
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ]
}

const stopOf = ({ finish, stopSequence }: Answer): Fields => ({
  stop_reason: stopSequence === undefined ? REASONS[finish] : 'stop_sequence',
  stop_sequence: stopSequence ?? null,
})

const errorOf = ({ error }: Case): Fields => ({
  type: 'error',
  error: { type: error?.code, message: error?.message },
})

export function whole(item: Case): Fields {
  if (item.error) return { ...errorOf(item), request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' }
  const [answer] = item.answers
  return {
    id: idOf(item.number),
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: blocksOf(answer, item.hasExtras),
    ...stopOf(answer),
    ...(item.usage && { usage: usageOf(item.usage, item.hasExtras) }),
  }
}

export function stream(item: Case): unknown[] {
  const [answer] = item.answers
  const { usage } = item
  const start = {
    id: idOf(item.number),
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage && { usage: { ...usageOf(usage, item.hasExtras), output_tokens: 1 } }),
  }
  const events: Fields[] = [{ type: 'message_start', message: start }, { type: 'ping' }]
  for (const [index, block] of blocksOf(answer, false).entries()) {
    events.push({ type: 'content_block_start', index, content_block: startOf(block) })
    events.push(...deltasOf(block, item).map((delta) => ({ type: 'content_block_delta', index, delta })))
    if (item.error) return [...events, errorOf(item)]
    events.push({ type: 'content_block_stop', index })
  }
  if (item.error) return [...events, errorOf(item)]
  events.push({
    type: 'message_delta',
    delta: stopOf(answer),
    // Newer replies repeat all counts at the end.
    ...(usage && {
      usage: item.number % 2 === 0 ? { output_tokens: usage.output } : usageOf(usage, item.hasExtras),
    }),
  })
  return [...events, { type: 'message_stop' }]
}

function startOf(block: Fields): Fields {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  if (block.type === 'text') return { type: 'text', text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

function deltasOf(block: Fields, { piece, hasExtras }: Case): Fields[] {
  if (block.type === 'tool_use') {
    const pieces = piecesOf(JSON.stringify(block.input), piece)
    const isEmpty = Object.keys(block.input as Fields).length === 0
    return ['', ...(isEmpty ? [] : pieces)].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }))
  }
  if (block.type === 'thinking') {
    const pieces = piecesOf(String(block.thinking), piece)
    const signature = block.signature === '' ? [] : [{ type: 'signature_delta', signature: block.signature }]
    return [...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })), ...signature]
  }
  if (block.type !== 'text') return []
  const citation = hasExtras ? [{ type: 'citations_delta', citation: CITATION }] : []
  return [...piecesOf(String(block.text), piece).map((text) => ({ type: 'text_delta', text })), ...citation]
}
