// Answers in the shapes of OpenAI's chat completions and of providers that are compatible with it.
import { type Answer, type Call, type Case, piecesOf, TOKENS, type Usage } from './cases.ts'
import type { Abilities } from './expected.ts'

type Fields = Record<string, unknown>
const MODEL = 'gpt-5-2025-08-07'
const idOf = (number: number): string => `chatcmpl-B9MBs8${number}`
/** Providers name the reasoning differently; one has its proofs. */
type Style = 'reasoning_content' | 'reasoning' | 'reasoning_details'
const STYLES = ['reasoning_details', 'reasoning_content', 'reasoning'] as const
const styleOf = ({ number }: Case): Style => STYLES[number % 3] as Style

export const abilities: Abilities = {
  model: MODEL,
  idOf,
  hasSignatures: (item) => styleOf(item) === 'reasoning_details',
  hasRedacted: true,
  hasRefusals: true,
  hasStopSequences: false,
  hasLogprobs: true,
  hasBytes: true,
  hasReasoningUsage: true,
  hasCacheWrites: true,
  hasChoices: true,
}

const usageOf = ({ input, cached, written, output, reasoning }: Usage): Fields => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: {
    cached_tokens: cached,
    ...(written > 0 && { cache_write_tokens: written }),
  },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

const logprob = ({ token, logprob }: { token: string; logprob: number }): Fields => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
})
const LOGPROBS = {
  content: TOKENS.map((each) => ({ ...logprob(each), top_logprobs: each.top.map(logprob) })),
  refusal: null,
}
const ANNOTATION = {
  type: 'url_citation',
  url_citation: { start_index: 0, end_index: 5, url: 'https://example.com', title: 'Example' },
}

const callOf = ({ id, name, args }: Call): Fields => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

function reasoningOf({ thoughts }: Answer, item: Case): Fields {
  if (thoughts.length === 0) return {}
  const text = thoughts.map((each) => each.text).join('')
  const style = styleOf(item)
  const isEncrypted = thoughts.some(({ redacted }) => redacted !== undefined)
  if (style !== 'reasoning_details' && !isEncrypted) return { [style]: text }
  const details = thoughts.map(({ text: each, signature, redacted }, index) =>
    redacted === undefined
      ? { type: 'reasoning.text', text: each, ...(signature && { signature }), format: 'unknown', index }
      : { type: 'reasoning.encrypted', data: redacted, format: 'unknown', index },
  )
  return { reasoning: text, reasoning_details: details }
}

const errorOf = ({ error }: Case): Fields => ({
  error: { message: error?.message, type: 'server_error', param: null, code: error?.code },
})

export function whole(item: Case): Fields {
  if (item.error) return errorOf(item)
  return {
    id: idOf(item.number),
    object: 'chat.completion',
    created: 1_741_570_283,
    model: MODEL,
    choices: item.answers.map((answer, index) => ({
      index,
      message: {
        role: 'assistant',
        content: answer.text === '' ? null : contentOf(answer.text, item),
        refusal: answer.refusal || null,
        annotations: item.hasExtras ? [ANNOTATION] : [],
        ...reasoningOf(answer, item),
        ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(callOf) }),
      },
      logprobs: answer.logprobs ? LOGPROBS : null,
      finish_reason: answer.finish,
    })),
    ...(item.usage && { usage: usageOf(item.usage) }),
    service_tier: 'default',
  }
}

/** Some providers answer with a list of parts. */
const contentOf = (text: string, { number }: Case): unknown =>
  number % 20 === 7 ? [{ type: 'text', text }] : text

export function stream(item: Case): unknown[] {
  const { usage } = item
  const chunk = (choices: unknown, more: Fields = {}): Fields => ({
    id: idOf(item.number),
    object: 'chat.completion.chunk',
    created: 1_741_570_283,
    model: MODEL,
    choices,
    ...more,
  })
  const events: unknown[] = []
  const add = (index: number, delta: Fields, finish: string | null = null, more: Fields = {}) =>
    events.push(chunk([{ index, delta, finish_reason: finish, ...more }]))
  for (const [index, answer] of item.answers.entries()) {
    add(index, { role: 'assistant', content: item.number % 2 === 0 ? '' : null })
    for (const delta of deltasOf(answer, item))
      add(index, delta, null, answer.logprobs ? { logprobs: LOGPROBS } : {})
    if (item.error) return [...events, errorOf(item)]
    add(index, {}, answer.finish)
  }
  if (usage) events.push(chunk([], { usage: usageOf(usage) }))
  return [...events, '[DONE]']
}

function deltasOf(answer: Answer, item: Case): Fields[] {
  const deltas = reasoningDeltas(answer, item)
  const pieces = answer.logprobs ? [answer.text] : piecesOf(answer.text, item.piece)
  deltas.push(...pieces.map((content) => ({ content })))
  deltas.push(...piecesOf(answer.refusal, item.piece).map((refusal) => ({ refusal })))
  return [...deltas, ...callDeltas(answer.calls, item)]
}

function reasoningDeltas(answer: Answer, item: Case): Fields[] {
  const style = styleOf(item)
  return answer.thoughts.flatMap(({ text, signature, redacted }, index): Fields[] => {
    if (redacted !== undefined)
      return [{ reasoning_details: [{ type: 'reasoning.encrypted', data: redacted, index }] }]
    const pieces = piecesOf(text, item.piece)
    if (style !== 'reasoning_details') return pieces.map((piece) => ({ [style]: piece }))
    const detail = { type: 'reasoning.text', format: 'unknown', index }
    return [
      ...pieces.map((piece) => ({ reasoning: piece, reasoning_details: [{ ...detail, text: piece }] })),
      ...(signature ? [{ reasoning_details: [{ ...detail, text: '', signature }] }] : []),
    ]
  })
}

/** Calls one after the other, side by side, or whole. */
function callDeltas(calls: readonly Call[], item: Case): Fields[] {
  const delta = (index: number, fields: Fields): Fields => ({ tool_calls: [{ index, ...fields }] })
  const starts = calls.map(({ id, name }, index) =>
    delta(index, { id, type: 'function', function: { name, arguments: '' } }),
  )
  const rests = calls.map(({ args }, index) =>
    piecesOf(JSON.stringify(args), item.piece).map((piece) =>
      delta(index, { function: { arguments: piece } }),
    ),
  )
  if (item.number % 4 === 3) return calls.map((call, index) => delta(index, callOf(call)))
  if (item.number % 4 !== 2) return starts.flatMap((start, i) => [start, ...(rests[i] ?? [])])
  const longest = Math.max(0, ...rests.map((rest) => rest.length))
  const turns = Array.from({ length: longest }, (_, at) => rests.flatMap((rest) => rest.slice(at, at + 1)))
  return [...starts, ...turns.flat()]
}
