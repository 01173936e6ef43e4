// A fake Gemini: a real server on loopback that speaks the Gemini API with scripted replies.
import { countTokens } from '@cowrie/server/src/platform/inference/tokens/count-tokens.ts'
import { type FakeProvider, type StreamFormat, sseEvent, startFakeProvider } from './fake-provider.ts'
import {
  cutAt,
  type FakeAnswer,
  type FakeReply,
  type FakeRequest,
  type FakeToolCall,
  piecesOf,
  type StreamPiece,
  textOf,
} from './fake-reply.ts'
import { geminiRefusal, thoughtSignature } from './gemini-rules.ts'

export { thoughtSignature } from './gemini-rules.ts'

/** Its URL ends in /v1beta. It refuses requests that Gemini would refuse. */
export type FakeGemini = FakeProvider

const MODELS = ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview']

export const startFakeGemini = (): Promise<FakeGemini> =>
  startFakeProvider({
    version: '/v1beta',
    replyTo(request, next) {
      const refusal = geminiRefusal(request)
      if (refusal) return geminiError(refusal.status, refusal.message)
      if (request.path === '/models') return { body: { models: MODELS.map(modelOf) } }
      const action = actionOf(request)
      if (action === 'countTokens') return { body: { totalTokens: promptTokensOf(request) } }
      if (action === 'generateContent' || action === 'streamGenerateContent') return next()
      return geminiError(404, 'Requested entity was not found.')
    },
    plan(request, reply, count) {
      const plan = planOf(request, reply, count)
      const isList = request.query.alt !== 'sse'
      return {
        ...plan,
        isStream: actionOf(request) === 'streamGenerateContent',
        ...(isList && { headers: { 'content-type': 'application/json; charset=UTF-8', ...plan.headers } }),
        completion: () => completionOf(plan),
        format: isList ? listOf(plan) : eventsOf(plan),
      }
    },
  })

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
const MESSAGES: Readonly<Record<number, string>> = {
  429: 'You exceeded your current quota, please check your plan and billing details.',
  500: 'An internal error has occurred.',
  503: 'The model is overloaded. Please try again later.',
}

/** An error in the shape of Gemini. */
export const geminiError = (
  status: number,
  message = MESSAGES[status] ?? 'Error',
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer => ({
  status,
  headers,
  body: { error: { code: status, message, status: STATUSES[status] ?? 'UNKNOWN' } },
})

/** A reply without candidates, because Gemini blocked the prompt. */
export const blockedPrompt = (blockReason = 'SAFETY', promptTokens = 12): FakeAnswer => ({
  pieces: [
    {
      data: {
        promptFeedback: { blockReason },
        usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
        modelVersion: 'gemini-2.5-pro',
      },
    },
  ],
  finish: null,
  usage: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
  blockReason,
})

type Plan = FakeAnswer & {
  readonly id: string
  readonly pieces: readonly StreamPiece[]
  readonly finish: string | null
  readonly model: string
  readonly usage: unknown
}

const actionOf = ({ path }: FakeRequest): string | undefined => /^\/models\/[^:]+:(\w+)$/.exec(path)?.[1]
const modelIn = ({ path }: FakeRequest): string => /^\/models\/([^:]+)/.exec(path)?.[1] ?? 'nameless'

function planOf(request: FakeRequest, reply: FakeReply, count: number): Plan {
  const answer = typeof reply === 'string' ? { text: reply } : reply
  const config = (request.body.generationConfig ?? {}) as { maxOutputTokens?: number }
  const text = cutAt(answer.text ?? '', config.maxOutputTokens ?? Infinity)
  const pieces = answer.pieces ?? piecesOf(text)
  const isCut = text !== (answer.text ?? '')
  const hasOnlyStatus = answer.status !== undefined && answer.status !== 200 && answer.body === undefined
  return {
    ...answer,
    ...(hasOnlyStatus && geminiError(answer.status, undefined, answer.headers)),
    id: answer.id ?? `response-${count}`,
    pieces,
    finish: answer.finish === undefined ? (isCut ? 'MAX_TOKENS' : 'STOP') : answer.finish,
    model: answer.model ?? modelIn(request),
    usage: answer.usage === undefined ? realUsage(request, answer, pieces) : answer.usage,
  }
}

function chunkOf(plan: Plan, parts: readonly object[], finish?: string | null): object {
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        index: 0,
        ...(typeof finish === 'string' && { finishReason: finish }),
      },
    ],
    ...(plan.usage !== 'none' && { usageMetadata: plan.usage }),
    modelVersion: plan.model,
    responseId: plan.id,
  }
}

const thoughtsOf = (plan: Plan): object[] =>
  plan.thinking === undefined ? [] : [{ text: plan.thinking, thought: true }]

/** The first call carries the signature of the thinking. */
const callsOf = (plan: Plan): object[] =>
  (plan.toolCalls ?? []).map((call, index) => ({
    functionCall: functionCallOf(call),
    ...(index === 0 && plan.thinking !== undefined && { thoughtSignature: thoughtSignature(call.name) }),
  }))

const functionCallOf = (call: FakeToolCall) => ({
  ...(call.id !== undefined && { id: call.id }),
  name: call.name,
  args: JSON.parse(call.arguments) as unknown,
})

function completionOf(plan: Plan): object {
  if (plan.blockReason !== undefined)
    return {
      promptFeedback: { blockReason: plan.blockReason },
      usageMetadata: plan.usage,
      modelVersion: plan.model,
    }
  const text = textOf(plan.pieces)
  const parts = [...thoughtsOf(plan), ...(text === '' ? [] : [{ text }]), ...callsOf(plan)]
  return chunkOf(plan, parts, plan.finish)
}

function eventsOf(plan: Plan): StreamFormat {
  const event = (data: unknown) => sseEvent(plan, JSON.stringify(data))
  const thoughts = thoughtsOf(plan)
  return {
    opening: thoughts.length > 0 ? [event(chunkOf(plan, thoughts))] : [],
    text: (text) => event(chunkOf(plan, [{ text }])),
    event,
    closing: () => (plan.finish === null ? [] : [event(chunkOf(plan, lastPartsOf(plan), plan.finish))]),
  }
}

const lastPartsOf = (plan: Plan): object[] => {
  const calls = callsOf(plan)
  return calls.length > 0 ? calls : [{ text: '' }]
}

/** Without `alt=sse` the stream is one JSON array. */
function listOf(plan: Plan): StreamFormat {
  let hasItems = false
  const event = (data: unknown) => {
    const separator = hasItems ? ',\r\n' : '['
    hasItems = true
    return separator + JSON.stringify(data)
  }
  const thoughts = thoughtsOf(plan)
  return {
    opening: thoughts.length > 0 ? [event(chunkOf(plan, thoughts))] : [],
    text: (text) => event(chunkOf(plan, [{ text }])),
    event,
    closing: () => [
      ...(plan.finish === null ? [] : [event(chunkOf(plan, lastPartsOf(plan), plan.finish))]),
      ']',
    ],
  }
}

const promptTokensOf = ({ body }: FakeRequest): number => {
  const counted = (body.generateContentRequest ?? body) as Record<string, unknown>
  return countTokens(
    JSON.stringify([counted.systemInstruction ?? '', counted.contents ?? [], counted.tools ?? []]),
  )
}

/** Gemini counts cached tokens within the prompt, and thoughts beside the candidates. */
function realUsage(request: FakeRequest, answer: FakeAnswer, pieces: readonly StreamPiece[]): object {
  const prompt = promptTokensOf(request)
  const calls = answer.toolCalls?.map((call) => call.name + call.arguments).join('') ?? ''
  const candidates = countTokens(textOf(pieces) + calls)
  const thoughts = answer.thinking === undefined ? 0 : countTokens(answer.thinking)
  const cached = Math.min(answer.cachedTokens ?? 0, prompt)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates + thoughts,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  }
}

const modelOf = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
})
