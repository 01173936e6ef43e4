// Reads untrusted values of a provider's reply.
import { randomBytes } from 'node:crypto'
import { MalformedReplyError, type TokenLogprob } from './conversation.ts'
import { isDeep, isRecord } from './values.ts'
import type { Fields } from './wire.ts'

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0

/** The data of an event as an object. */
export function eventIn(data: string): Fields {
  let event: unknown
  try {
    event = JSON.parse(data)
  } catch {
    throw new MalformedReplyError('an event is no JSON')
  }
  if (!isRecord(event)) throw new MalformedReplyError('an event is no object')
  return event
}

/** The arguments of a call as JSON text. */
export function argumentsOf(value: unknown): string {
  if (!isRecord(value)) throw new MalformedReplyError('the arguments of a tool call are no object')
  if (isDeep(value)) throw new MalformedReplyError('the arguments of a tool call are nested too deeply')
  return JSON.stringify(value)
}

const ID_PART_MAX = 24

/** Calls may lack an id. Other formats require one that is unique in the conversation. */
export function callIdOf(replyId: string, choice: number, number: number): string {
  const base = replyId.replace(/[^\w-]/g, '_').slice(-ID_PART_MAX) || randomBytes(8).toString('hex')
  return `call_${base}_${choice === 0 ? '' : `${choice}_`}${number}`
}

/** As OpenAI has them. Values of other forms are left out. */
export function readLogprobs(list: unknown): readonly TokenLogprob[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.filter(isRecord).map((each) => ({
    ...readLogprob(each),
    top: Array.isArray(each.top_logprobs) ? each.top_logprobs.filter(isRecord).map(readLogprob) : [],
  }))
}

function readLogprob({ token, logprob, bytes }: Fields): Omit<TokenLogprob, 'top'> {
  if (typeof token !== 'string' || typeof logprob !== 'number')
    throw new MalformedReplyError('a log probability is malformed')
  return { token, logprob, ...(Array.isArray(bytes) && { bytes: bytes.map(countIn) }) }
}

export const writeLogprobs = (logprobs: readonly TokenLogprob[]): Fields[] =>
  logprobs.map(({ token, logprob, bytes, top }) => ({
    token,
    logprob,
    bytes: bytes ?? null,
    top_logprobs: top.map((each) => ({
      token: each.token,
      logprob: each.logprob,
      bytes: each.bytes ?? null,
    })),
  }))

/** A record of only some names, for lookups by untrusted text. */
export const tableOf = <T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(entries))
