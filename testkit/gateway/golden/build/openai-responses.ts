// Answers in the shapes of OpenAI's Responses API.
import { type Answer, type Case, piecesOf, TOKENS, type Usage } from './cases.ts'
import type { Abilities } from './expected.ts'

type Fields = Record<string, unknown>
const MODEL = 'gpt-5-2025-08-07'
const idOf = (number: number): string => `resp_67cc${number}`
const itemId = (kind: string, number: number, at: number): string => `${kind}_6${number}_${at}`

export const abilities: Abilities = {
  model: MODEL,
  idOf,
  hasSignatures: () => true,
  hasRedacted: false,
  hasRefusals: true,
  hasStopSequences: false,
  hasLogprobs: true,
  hasBytes: true,
  hasReasoningUsage: true,
  hasCacheWrites: true,
  hasChoices: false,
}

const usageOf = ({ input, cached, written, output, reasoning }: Usage): Fields => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached, ...(written > 0 && { cache_write_tokens: written }) },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

const logprob = ({ token, logprob }: { token: string; logprob: number }): Fields => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
})
const LOGPROBS = TOKENS.map((each) => ({ ...logprob(each), top_logprobs: each.top.map(logprob) }))
const ANNOTATION = {
  type: 'url_citation',
  start_index: 0,
  end_index: 5,
  url: 'https://example.com',
  title: 'Example',
}

type Item = { readonly start: Fields; readonly done: Fields; readonly deltas: readonly Fields[] }

/** The items of an answer, each with its events. */
function itemsOf({ thoughts, text, refusal, calls, logprobs }: Answer, item: Case): Item[] {
  const { number, piece, hasExtras } = item
  const readable = thoughts.filter(({ redacted }) => redacted === undefined)
  const items = readable.map(({ text: thought, signature }, at): Item => {
    const start = { id: itemId('rs', number, at), type: 'reasoning', summary: [] }
    const proof = signature === undefined ? {} : { encrypted_content: signature }
    return {
      start,
      done: { ...start, summary: [{ type: 'summary_text', text: thought }], ...proof },
      deltas: piecesOf(thought, piece).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        summary_index: 0,
        delta,
      })),
    }
  })
  if (text !== '' || refusal !== '') {
    const start = {
      id: itemId('msg', number, 0),
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    }
    const part =
      refusal === ''
        ? {
            type: 'output_text',
            text,
            annotations: hasExtras ? [ANNOTATION] : [],
            logprobs: logprobs ? LOGPROBS : [],
          }
        : { type: 'refusal', refusal }
    const pieces = logprobs ? [text] : piecesOf(text + refusal, piece)
    items.push({
      start,
      done: { ...start, status: 'completed', content: [part] },
      deltas: pieces.map((delta) => ({
        type: `response.${refusal === '' ? 'output_text' : 'refusal'}.delta`,
        content_index: 0,
        delta,
        ...(logprobs && { logprobs: LOGPROBS }),
      })),
    })
  }
  return [
    ...items,
    ...calls.map(({ id, name, args }, at): Item => {
      const start = {
        id: itemId('fc', number, at),
        type: 'function_call',
        status: 'in_progress',
        call_id: id,
        name,
        arguments: '',
      }
      const whole = JSON.stringify(args)
      return {
        start,
        done: { ...start, status: 'completed', arguments: whole },
        deltas: piecesOf(whole, piece).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          delta,
        })),
      }
    }),
  ]
}

const statusOf = ({ finish }: Answer): Fields =>
  finish === 'length' || finish === 'content_filter'
    ? {
        status: 'incomplete',
        incomplete_details: { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' },
      }
    : { status: 'completed', incomplete_details: null }

const responseOf = (item: Case, fields: Fields): Fields => ({
  id: idOf(item.number),
  object: 'response',
  created_at: 1_741_476_542,
  model: MODEL,
  ...fields,
})

const failureOf = ({ error }: Case): Fields => ({
  status: 'failed',
  error: { code: error?.code, message: error?.message },
  output: [],
  usage: null,
})

export function whole(item: Case): Fields {
  if (item.error) return responseOf(item, failureOf(item))
  const [answer] = item.answers
  return responseOf(item, {
    ...statusOf(answer),
    error: null,
    output: itemsOf(answer, item).map(({ done }) => done),
    ...(item.usage && { usage: usageOf(item.usage) }),
  })
}

export function stream(item: Case): unknown[] {
  const [answer] = item.answers
  const events: Fields[] = []
  const say = (type: string, fields: Fields) =>
    events.push({ type, sequence_number: events.length, ...fields })
  const begun = responseOf(item, { status: 'in_progress', output: [] })
  say('response.created', { response: begun })
  if (item.hasExtras) say('response.in_progress', { response: begun })
  for (const [output_index, { start, done, deltas }] of itemsOf(answer, item).entries()) {
    say('response.output_item.added', { output_index, item: start })
    for (const { type, ...fields } of deltas)
      say(String(type), { item_id: start.id, output_index, ...fields })
    if (item.error) break
    say('response.output_item.done', { output_index, item: done })
  }
  if (item.error && item.number % 2 === 0) {
    say('error', { code: item.error.code, message: item.error.message, param: null })
    return events
  }
  if (item.error) say('response.failed', { response: responseOf(item, failureOf(item)) })
  else {
    const { status } = statusOf(answer)
    say(`response.${status}`, { response: whole(item) })
  }
  return events
}
