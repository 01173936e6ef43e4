// Scripted replies of the fake upstream: correct ones, and every kind of fault.
import type { IncomingHttpHeaders } from 'node:http'
import { countTokens } from '@cowrie/server/src/platform/inference/tokens/count-tokens.ts'

export type FakeRequest = {
  readonly method: string
  /** Below the version, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** The parsed body; an empty object without one. */
  readonly body: Record<string, unknown>
}

/** A part of a stream: text, a promise or function to wait for, a comment line, an event with any data, or raw bytes. */
export type StreamPiece =
  | string
  | Promise<unknown>
  | (() => Promise<unknown>)
  | { readonly comment: string }
  | { readonly data: unknown }
  | { readonly raw: string | Buffer }

/** Absent id: one from its position. */
export type FakeToolCall = { readonly id?: string; readonly name: string; readonly arguments: string }

export type FakeAnswer = {
  /** The whole text, streamed three words at a time. */
  readonly text?: string
  /** The streamed pieces. A promise delays the next piece. */
  readonly pieces?: readonly StreamPiece[]
  readonly toolCalls?: readonly FakeToolCall[]
  /** The thinking before the answer, where the provider has it. */
  readonly thinking?: string
  /** Parts of the prompt that the real usage counts as read from the cache, or written to it. */
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  /** Gemini refuses the prompt with this reason. */
  readonly blockReason?: string
  /** Absent: the real usage. `none`: no usage. Any other value is sent unchanged. */
  readonly usage?: unknown
  /** The position of the usage: in the last chunk, in a separate chunk after it (default), or in every chunk. */
  readonly usageIn?: 'last' | 'own' | 'every'
  /** Absent: `stop`, or `length` when the text was cut at the limit. Null: no finish reason. */
  readonly finish?: string | null
  /** Absent: a new one. */
  readonly id?: string
  /** The reported model. Absent: the requested one. */
  readonly model?: string
  /** A status other than 200 is sent with only `body`. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged instead of a completion; an object as JSON. */
  readonly body?: string | Buffer | object
  /** Delays the headers. */
  readonly waitFor?: Promise<unknown> | (() => Promise<unknown>)
  /** Disconnects without a reply. */
  readonly drop?: boolean
  /** Sends nothing until the client disconnects. */
  readonly hang?: boolean
  /** Stops sending after this many pieces; 0: after the headers. */
  readonly hangAfter?: number
  /** Disconnects after this many pieces; 0: after the headers. */
  readonly cutAfter?: number
  /** Repeats its pieces until the client disconnects. */
  readonly endless?: boolean
  /** The number of `[DONE]` events. Default: 1. */
  readonly done?: number
  readonly lineEnd?: '\n' | '\r\n' | '\r'
  readonly byteOrderMark?: boolean
  /** Without the space after the colon. */
  readonly tight?: boolean
  /** Sends packets of this many bytes, which splits characters and lines. */
  readonly packetBytes?: number
  /** Sends one JSON object although a stream was requested. */
  readonly whole?: boolean
}
/** A string is a correct reply with this text. */
export type FakeReply = string | FakeAnswer

/** A reply with all defaults resolved. */
export type PlannedReply = FakeAnswer & {
  readonly id: string
  readonly pieces: readonly StreamPiece[]
  readonly finish: string | null
  readonly model: string
  readonly usage: unknown
  /** A correct upstream sends usage only on request. Scripted usage is always sent. */
  readonly saysUsage: boolean
}

export function planReply(request: FakeRequest, reply: FakeReply, count: number): PlannedReply {
  const answer = typeof reply === 'string' ? { text: reply } : reply
  const ceiling = Number(request.body.max_tokens ?? request.body.max_completion_tokens ?? Infinity)
  const text = cutAt(answer.text ?? '', ceiling)
  const pieces = answer.pieces ?? piecesOf(text)
  const isCut = text !== (answer.text ?? '')
  const called = answer.toolCalls?.length ? 'tool_calls' : 'stop'
  return {
    ...answer,
    id: answer.id ?? `chatcmpl-${count}`,
    pieces,
    finish: answer.finish === undefined ? (isCut ? 'length' : called) : answer.finish,
    model: answer.model ?? String(request.body.model ?? 'nameless'),
    saysUsage: answer.usage !== undefined || isRecord(request.body.stream_options),
    usage: answer.usage === undefined ? honestUsage(request, answer, pieces) : answer.usage,
  }
}

export const textOf = (pieces: readonly StreamPiece[]): string =>
  pieces.filter((piece) => typeof piece === 'string').join('')

/** One JSON object, for a client that requested no stream. */
export function completionOf(plan: PlannedReply): object {
  const toolCalls = plan.toolCalls?.map(callOf)
  const content = textOf(plan.pieces)
  return {
    id: plan.id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: plan.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: toolCalls ? null : content,
          ...(toolCalls && { tool_calls: toolCalls }),
        },
        finish_reason: plan.finish,
      },
    ],
    ...(plan.usage !== 'none' && { usage: plan.usage }),
  }
}

/** A chunk with a part of the answer. */
export function chunkOf(plan: PlannedReply, delta: object, finish: string | null = null): object {
  const isLast = finish !== null
  const saysUsage = plan.usageIn === 'every' || (isLast && plan.usageIn === 'last')
  return {
    ...frame(plan),
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(saysUsage && plan.usage !== 'none' && { usage: plan.usage }),
  }
}

export const toolChunksOf = (plan: PlannedReply): object[] =>
  (plan.toolCalls ?? []).map((call, index) =>
    chunkOf(plan, { tool_calls: [{ index, ...callOf(call, index) }] }),
  )

/** The chunk without choices that contains the usage. */
export const usageChunkOf = (plan: PlannedReply): object => ({
  ...frame(plan),
  choices: [],
  usage: plan.usage,
})

const frame = ({ id, model }: PlannedReply) => ({
  id,
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model,
})

const callOf = ({ id, ...call }: FakeToolCall, index: number) => ({
  id: id ?? `call_${index}`,
  type: 'function',
  function: call,
})

/** Looks for a wrong character: matching megabytes of right ones can exceed the stack of the expression. */
export const isBase64 = (text: string): boolean => !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''))

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

export const piecesOf = (text: string): string[] => text.match(/(?:\s*\S+){1,3}\s*/g) ?? (text ? [text] : [])

export function cutAt(text: string, ceiling: number): string {
  let kept = text
  // Each round removes at least one character.
  while (countTokens(kept) > ceiling)
    kept = kept.slice(0, Math.min(kept.length - 1, Math.floor((kept.length * ceiling) / countTokens(kept))))
  return kept
}

function honestUsage(request: FakeRequest, answer: FakeAnswer, pieces: readonly StreamPiece[]) {
  const calls = answer.toolCalls?.map((call) => call.name + call.arguments).join('') ?? ''
  const prompt = countTokens(JSON.stringify(request.body.messages ?? request.body.input ?? ''))
  const completion = countTokens(textOf(pieces) + calls)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(answer.cachedTokens !== undefined && {
      prompt_tokens_details: { cached_tokens: Math.min(answer.cachedTokens, prompt) },
    }),
  }
}
