// Reads and writes chat completions and their chunks.
import { isUtf8 } from 'node:buffer'
import { toJson } from '../../kernel/json.ts'
import type { Cost, TurnUsage } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, answer } from '../../platform/http/answer.ts'
import { malformed } from '../../platform/inference/completion/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { isChunk, type RawChoice } from '../../platform/wires/openai/chat-chunk.ts'
import { type Chunk, recordIn } from './chat-grammar.ts'
import { ToolCalls } from './tool-calls.ts'

export type Completion = Chunk & { readonly choices: readonly RawChoice[] }

/** Parses a completion. Throws when it is malformed or empty. */
export function completionIn(bytes: Buffer): Completion {
  if (!isUtf8(bytes)) throw malformed('bytes that are no text')
  const completion = recordIn(bytes.toString())
  if (!completion || completion.error || !isChunk(completion) || !completion.choices)
    throw new UpstreamFailed('failed', 'the upstream returned no completion')
  const { choices } = completion
  for (const { message, finish_reason: finish = null } of choices) {
    const calls = new ToolCalls()
    calls.add(message)
    calls.requireWhole(finish)
  }
  const isEmpty = choices.every(({ message }) => isNothing(message))
  if (isEmpty && finishIn(choices) !== 'length')
    throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
  return { ...completion, choices }
}

export const secondsOf = (app: App): number => Math.floor(app.clock.now().getTime() / 1000)

export const finishIn = (choices: readonly RawChoice[]): string => choices[0]?.finish_reason ?? 'stop'

const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning', 'tool_calls', 'function_call', 'audio']
const isNothing = (message: RawChoice['message']): boolean =>
  TEXTS.every((name) => {
    const value = message?.[name]
    return (
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    )
  })

export const DONE = 'data: [DONE]\n\n'
export const chunkText = (chunk: object): string => `data: ${toJson(chunk)}\n\n`

/** A complete answer with its cost in headers, so that the body stays unchanged. */
export function costHeaders(body: string | Uint8Array, { costMinor, balanceMinor }: Cost): Answer {
  return answer(200, body, {
    'x-cowrie-cost-minor': String(costMinor),
    'x-cowrie-balance-minor': String(balanceMinor),
  })
}

export function usageOf({ promptTokens, outputTokens, cachedTokens, reasoningTokens }: TurnUsage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}

/** The chunk with the finish reason. */
export const lastChunk = ({ id, created, model }: Chunk, finish_reason: string): object => ({
  id,
  object: 'chat.completion.chunk',
  created,
  model,
  choices: [{ index: 0, delta: {}, finish_reason }],
})

/** The chunk without choices that has usage and cost. */
export function usageChunk(like: Chunk, usage: unknown, cost: Cost): object {
  return {
    id: like.id ?? '',
    created: like.created ?? 0,
    model: like.model ?? '',
    ...like,
    object: 'chat.completion.chunk',
    choices: [],
    usage: withCost(usage, cost),
  }
}

export const withCost = (usage: unknown, { costMinor, balanceMinor }: Cost): object => ({
  ...(usage as object),
  cost_minor: costMinor,
  balance_minor: balanceMinor,
})
