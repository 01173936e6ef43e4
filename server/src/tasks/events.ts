// Events of a task. They are stored in the transaction of the fact, and clients can replay them.
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import { appendAll } from '../platform/streams/streams.ts'
import type { TaskId, TurnId, TurnStop, Withheld } from './types.ts'
import type { TurnVerification } from './verify/types.ts'

export type TaskEvent =
  /** A piece of the answer. A new attempt replaces the text of the step. */
  | { kind: 'message'; step: number; attempt: number; text: string }
  | { kind: 'reasoning'; step: number; attempt: number; text: string }
  | { kind: 'tool'; step: number; callId: string; tool: string; input: unknown }
  | {
      kind: 'tool_result'
      step: number
      callId: string
      tool: string
      ok: boolean
      output: string
      isTruncated: boolean
    }
  | {
      kind: 'change'
      step: number | null
      path: string
      action: 'create' | 'update' | 'delete'
      added: number
      removed: number
    }
  | {
      kind: 'cost'
      step: number
      costMinor: bigint
      spentMinor: bigint
      /** The amount that the member can still spend. Missing in older events. */
      balanceMinor?: bigint
      model: string
      tokens: number
    }
  | {
      kind: 'needs_tool'
      step: number
      callId: string
      tool: string
      input: unknown
      isInputOmitted?: true
    }
  | {
      kind: 'needs_approval'
      step: number
      callId: string
      approvalId: string
      tool: string
      input: unknown
      isInputOmitted?: true
      reason: string
    }
  | {
      kind: 'status'
      status: 'queued' | 'running' | 'waiting' | 'finished'
      /** An event in between: a shorter transcript, a retry, a verification. */
      note?: 'compacted' | 'retrying' | 'verifying' | 'preparing' | 'reverted' | 'rejected' | 'pull_request'
      detail?: string
      stopReason?: TurnStop
      summary?: string | null
      verification?: TurnVerification | null
      spentMinor?: bigint
      withheld?: readonly Withheld[]
    }

/** The event as it is stored: with its turn, except for what happens between turns. */
export type StoredTaskEvent = TaskEvent & { turnId: TurnId | null }

const APPEND_BATCH = 500
/** Longer texts are cut: the step has the whole text. */
const TEXT_CHARACTERS_MAX = 60_000
const INPUT_BYTES_MAX = 200_000

export async function appendEvents(
  tx: Tx,
  task: TaskId,
  turnId: TurnId | null,
  events: readonly TaskEvent[],
): Promise<void> {
  const stored = events.map((event) => ({ turnId, ...bounded(event) }))
  for (let at = 0; at < stored.length; at += APPEND_BATCH)
    await appendAll(tx, task, stored.slice(at, at + APPEND_BATCH))
}

/** An event has a size limit. The input of a call that writes a large file is named, not repeated. */
function bounded(event: TaskEvent): TaskEvent {
  if (event.kind === 'tool_result') {
    const output = shortOutput(event.output)
    return output === event.output ? event : { ...event, output, isTruncated: true }
  }
  if (event.kind === 'tool') {
    const input = shortInput(event.input)
    return { ...event, input: isLarge(input) ? shortInput(event.input, INPUT_CHARACTERS_MIN) : input }
  }
  if (event.kind === 'needs_tool' || event.kind === 'needs_approval')
    return isLarge(event.input) ? { ...event, input: null, isInputOmitted: true } : event
  return event
}

/** A control character takes six bytes. */
function shortOutput(output: string): string {
  const text = output.slice(0, TEXT_CHARACTERS_MAX)
  return isLarge(text) ? text.slice(0, TEXT_CHARACTERS_MAX / 2).toWellFormed() : text.toWellFormed()
}

/** A client needs the whole input, so a large one is left out and read with the call. */
const isLarge = (input: unknown): boolean => Buffer.byteLength(toJson(input)) > INPUT_BYTES_MAX

const INPUT_CHARACTERS_MAX = 4_000
const INPUT_CHARACTERS_MIN = 200

/** The input as lists show it: long texts are cut. */
export function shortInput(input: unknown, charactersMax = INPUT_CHARACTERS_MAX): unknown {
  if (typeof input === 'string')
    return input.length <= charactersMax ? input : `${input.slice(0, charactersMax).toWellFormed()}…`
  if (Array.isArray(input)) return input.slice(0, 50).map((value) => shortInput(value, charactersMax))
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, shortInput(value, charactersMax)]),
  )
}
