// What the stand-in for an upstream can be told to answer: honest replies, and every kind of bad one.
import type { IncomingHttpHeaders } from 'node:http'
import { countTokens } from '@cowrie/server/src/platform/inference/tokens/count-tokens.ts'

export type FakeRequest = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed body; an empty object where there was none. */
  readonly body: Record<string, unknown>
}

/** A piece of a stream: text of the answer, something to wait for (made then, if it is a function), a comment line, an event with any data, or raw bytes. */
export type StreamPiece =
  | string
  | Promise<unknown>
  | (() => Promise<unknown>)
  | { readonly comment: string }
  | { readonly data: unknown }
  | { readonly raw: string | Buffer }

export type FakeAnswer = {
  /** The whole text; it is streamed in pieces of three words. */
  readonly text?: string
  /** The text as it is streamed, with pauses: a promise is waited for before the next piece. */
  readonly pieces?: readonly StreamPiece[]
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[]
  /** Absent: honest. `none`: never said. Anything else is said as it is. */
  readonly usage?: unknown
  /** Where a stream says it: in the last chunk, in one of its own after it (the default), or in every chunk. */
  readonly usageIn?: 'last' | 'own' | 'every'
  /** Absent: `stop`, or `length` where the text was cut at the ceiling. Null: never said. */
  readonly finish?: string | null
  /** The model it says it is; absent: the one that was asked for. */
  readonly model?: string
  /** A status other than 200 is answered with `body` alone. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Answered as it is instead of a completion; an object as JSON. */
  readonly body?: string | Buffer | object
  /** Says nothing at all until the client goes away. */
  readonly hang?: boolean
  /** Falls silent after this many pieces; 0: after the headers. */
  readonly hangAfter?: number
  /** Breaks the connection after this many pieces; 0: after the headers. */
  readonly cutAfter?: number
  /** Repeats its pieces until the client goes away. */
  readonly endless?: boolean
  /** How often `[DONE]` is said: once unless told. */
  readonly done?: number
  readonly lineEnd?: '\n' | '\r\n' | '\r'
  readonly byteOrderMark?: boolean
  /** Without the space after the colon. */
  readonly tight?: boolean
  /** Sends packets of this many bytes, which splits characters and lines. */
  readonly packetBytes?: number
  /** Answers in one JSON object although a stream was asked for. */
  readonly whole?: boolean
}
/** A string is an honest reply with this text. */
export type FakeReply = string | FakeAnswer

/** The reply with all that was left open decided: what is said, how it ends, what it used. */
export type PlannedReply = FakeAnswer & {
  readonly pieces: readonly StreamPiece[]
  readonly finish: string | null
  readonly model: string
  readonly usage: unknown
  /** An honest upstream has a chunk about usage for those who ask for it. What a test dictates is always said. */
  readonly saysUsage: boolean
}

export function planReply(request: FakeRequest, reply: FakeReply): PlannedReply {
  const answer = typeof reply === 'string' ? { text: reply } : reply
  const ceiling = Number(request.body.max_tokens ?? request.body.max_completion_tokens ?? Infinity)
  const text = cutAt(answer.text ?? '', ceiling)
  const pieces = answer.pieces ?? piecesOf(text)
  const isCut = text !== (answer.text ?? '')
  const called = answer.toolCalls?.length ? 'tool_calls' : 'stop'
  return {
    ...answer,
    pieces,
    finish: answer.finish === undefined ? (isCut ? 'length' : called) : answer.finish,
    model: answer.model ?? String(request.body.model ?? 'nameless'),
    saysUsage: answer.usage !== undefined || isRecord(request.body.stream_options),
    usage: answer.usage === undefined ? honestUsage(request, answer, pieces) : answer.usage,
  }
}

export const textOf = (pieces: readonly StreamPiece[]): string =>
  pieces.filter((piece) => typeof piece === 'string').join('')

/** One object, as a client that did not ask for a stream gets it. */
export function completionOf(plan: PlannedReply): object {
  const toolCalls = plan.toolCalls?.map(callOf)
  const content = textOf(plan.pieces)
  return {
    id: 'chatcmpl-standin',
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

/** A chunk with something of the answer. */
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

/** The chunk without choices that says what was used. */
export const usageChunkOf = (plan: PlannedReply): object => ({
  ...frame(plan),
  choices: [],
  usage: plan.usage,
})

const frame = ({ model }: PlannedReply) => ({
  id: 'chatcmpl-standin',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model,
})

const callOf = (call: { name: string; arguments: string }, index: number) => ({
  id: `call_${index}`,
  type: 'function',
  function: call,
})

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

const piecesOf = (text: string): string[] => text.match(/(?:\s*\S+){1,3}\s*/g) ?? (text ? [text] : [])

function cutAt(text: string, ceiling: number): string {
  let kept = text
  // Each round takes off at least a character, so it ends.
  while (countTokens(kept) > ceiling)
    kept = kept.slice(0, Math.min(kept.length - 1, Math.floor((kept.length * ceiling) / countTokens(kept))))
  return kept
}

function honestUsage(request: FakeRequest, answer: FakeAnswer, pieces: readonly StreamPiece[]) {
  const calls = answer.toolCalls?.map((call) => call.name + call.arguments).join('') ?? ''
  const prompt = countTokens(JSON.stringify(request.body.messages ?? request.body.input ?? ''))
  const completion = countTokens(textOf(pieces) + calls)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
