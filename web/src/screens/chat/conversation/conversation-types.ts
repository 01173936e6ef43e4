// A conversation as the chat screens use it.
import type { ChatMessage, ThreadDetail } from '@cowrie/sdk'
import type { ReadonlySignal } from '@preact/signals'
import type { ApiFailure } from '../../../data/failure.ts'

/** `asking`: nothing has arrived yet. `checking`: the connection was lost and the state of the answer is being requested. */
export type Phase = 'asking' | 'writing' | 'stopping' | 'checking'
export type AnswerInProgress = {
  /** Null if it was sent before this page was opened: then it is among the messages. */
  readonly question: string | null
  readonly text: string
  readonly phase: Phase
}
/** `maxMinor` is the quoted price. Nothing is sent without one. */
export type ChatRequest = {
  readonly prompt: string
  readonly repo?: string
  readonly frontier: boolean
  readonly maxMinor: bigint
}

export type Conversation = {
  readonly thread: ReadonlySignal<ThreadDetail | null>
  readonly live: ReadonlySignal<AnswerInProgress | null>
  /** The time of a stored copy, shown while offline. */
  readonly asOf: ReadonlySignal<Date | null>
  /** Whether a message may or may not have arrived. */
  isUndecided(): boolean
  /** The quoted price of a message that may have arrived: sent again, it is the same message for that price. */
  quotedBefore(ask: Omit<ChatRequest, 'maxMinor'>): bigint | null
  /** Why the thread could not be loaded. */
  readonly missing: ReadonlySignal<ApiFailure | null>
  /** Why the last message was rejected, or its answer failed. */
  readonly failure: ReadonlySignal<ApiFailure | null>
  load(): Promise<void>
  earlier(): Promise<void>
  /** Whether the message was accepted. If not, the text stays in the form. */
  send(ask: ChatRequest): Promise<boolean>
  /** The quoted price of a message whose answer failed; null if unknown. */
  quotedFor(answer: ChatMessage): bigint | null
  /** Retries a failed answer, which cost nothing, in its place and for the same price; false if the price is unknown. */
  retry(answer: ChatMessage): Promise<boolean>
  stop(): Promise<void>
  change(edit: { title?: string; mode?: 'general' | 'code'; archived?: boolean }): Promise<void>
}
