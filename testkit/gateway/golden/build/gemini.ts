// Answers in the shapes of the Gemini API.
import { type Answer, type Case, piecesOf, TOKENS, type Usage } from './cases.ts'
import type { Abilities } from './expected.ts'

type Fields = Record<string, unknown>
const MODEL = 'gemini-3-pro-preview'
const idOf = (number: number): string => `rEsp${String(number).padStart(4, '0')}-xY`
/** Older models name no ids. */
const hasIds = ({ number }: Case): boolean => number % 2 === 0

export const abilities: Abilities = {
  model: MODEL,
  idOf,
  callIdOf: (item, at) => {
    const [answer] = item.answers
    const call = answer.calls[at]
    return hasIds(item) && call ? call.id : `call_${idOf(item.number)}_${at}`
  },
  hasSignatures: () => true,
  hasRedacted: false,
  hasRefusals: false,
  hasStopSequences: false,
  hasLogprobs: true,
  hasReasoningUsage: true,
  hasCacheWrites: false,
  hasChoices: true,
}

const FILTERS = ['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'] as const
const RATINGS = [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }]

const reasonOf = ({ finish }: Answer, number: number): string =>
  finish === 'length'
    ? 'MAX_TOKENS'
    : finish === 'content_filter'
      ? (FILTERS[number % FILTERS.length] as string)
      : 'STOP'

const usageOf = ({ input, cached, written, output, reasoning }: Usage): Fields => ({
  promptTokenCount: input - written,
  candidatesTokenCount: output - reasoning,
  totalTokenCount: input - written + output,
  ...(cached > 0 && { cachedContentTokenCount: cached }),
  ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  ...(cached > 0 && { promptTokensDetails: [{ modality: 'TEXT', tokenCount: input - written }] }),
})

const LOGPROBS = {
  chosenCandidates: TOKENS.map(({ token, logprob }) => ({ token, tokenId: 7, logProbability: logprob })),
  topCandidates: TOKENS.map(({ top }) => ({
    candidates: top.map(({ token, logprob }) => ({ token, tokenId: 8, logProbability: logprob })),
  })),
}

function partsOf({ thoughts, text, refusal, calls }: Answer, item: Case): Fields[] {
  const said = [text, refusal].filter((each) => each !== '')
  const readable = thoughts.filter(({ redacted }) => redacted === undefined)
  return [
    ...readable.map(({ text: thought, signature }) => ({
      text: thought,
      thought: true,
      ...(signature !== undefined && { thoughtSignature: signature }),
    })),
    ...said.map((each) => ({ text: each })),
    ...calls.map(({ id, name, args }) => ({
      functionCall: { ...(hasIds(item) && { id }), name, ...(Object.keys(args).length > 0 && { args }) },
    })),
  ]
}

const errorOf = ({ error }: Case): Fields => ({
  error: { code: 503, message: error?.message, status: error?.code },
})

const replyOf = (item: Case, candidates: readonly Fields[], usage: Usage | null): Fields => ({
  ...(candidates.length > 0 && { candidates }),
  ...(usage && { usageMetadata: usageOf(usage) }),
  modelVersion: MODEL,
  responseId: idOf(item.number),
})

export function whole(item: Case): Fields {
  if (item.error) return errorOf(item)
  // A blocked prompt has no candidates.
  if (isBlocked(item))
    return { ...replyOf(item, [], item.usage), promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }
  const candidates = item.answers.map((answer, index) => ({
    content: { parts: partsOf(answer, item), role: 'model' },
    finishReason: reasonOf(answer, item.number),
    index,
    ...(item.hasExtras && { safetyRatings: RATINGS, avgLogprobs: -0.1 }),
    ...(answer.logprobs && { logprobsResult: LOGPROBS }),
  }))
  return replyOf(item, candidates, item.usage)
}

/** Case 88: the filter acts before the first word. */
export const isBlocked = ({ number }: Case): boolean => number === 88

export function stream(item: Case): unknown[] {
  if (isBlocked(item)) return [whole(item)]
  const events: Fields[] = []
  const add = (index: number, parts: readonly Fields[], more: Fields = {}) =>
    events.push(replyOf(item, [{ content: { parts, role: 'model' }, index, ...more }], null))
  for (const [index, answer] of item.answers.entries()) {
    const calls: Fields[] = []
    for (const part of partsOf(answer, item)) {
      if (part.functionCall) {
        // Parallel calls come in one event or in several.
        if (item.number % 3 === 0) calls.push(part)
        else add(index, [part])
        continue
      }
      const { text, thoughtSignature, ...rest } = part
      const pieces = answer.logprobs ? [String(text)] : piecesOf(String(text), item.piece)
      for (const [at, piece] of pieces.entries()) {
        const isLast = at === pieces.length - 1
        const proof = isLast && thoughtSignature !== undefined ? { thoughtSignature } : {}
        add(index, [{ text: piece, ...rest, ...proof }], answer.logprobs ? { logprobsResult: LOGPROBS } : {})
      }
    }
    if (calls.length > 0) add(index, calls)
    if (item.error) return [...events, errorOf(item)]
    const last = {
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: reasonOf(answer, item.number),
      index,
    }
    events.push(replyOf(item, [last], index === item.answers.length - 1 ? item.usage : null))
  }
  return events
}
