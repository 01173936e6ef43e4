// A conversation as the chat screens use it.
import type { ChatMessage, ThreadDetail } from '@cowrie/sdk'
import type { ReadonlySignal } from '@preact/signals'
import type { ApiFailure } from '../../../data/failure.ts'

/** `asking`: nothing has come yet. `checking`: the connection is gone, and what became of the answer is being looked up. */
export type Phase = 'asking' | 'writing' | 'stopping' | 'checking'
export type Live = {
  /** Null where it was asked before this page was opened: then the question stands among the messages. */
  readonly question: string | null
  readonly text: string
  readonly phase: Phase
}
/** `maxMinor` is what its writer was told that it costs at most: without that nothing is sent. */
export type Ask = {
  readonly prompt: string
  readonly repo?: string
  readonly frontier: boolean
  readonly maxMinor: bigint
}

export type Conversation = {
  readonly thread: ReadonlySignal<ThreadDetail | null>
  readonly live: ReadonlySignal<Live | null>
  /** When it was so, where there is no network to ask anew. */
  readonly asOf: ReadonlySignal<Date | null>
  /** Whether the same words again would be the same message. */
  isUndecided(): boolean
  /** What was told about words that may or may not have arrived: sent again, they are the same message for that price. */
  toldBefore(ask: Omit<Ask, 'maxMinor'>): bigint | null
  /** Why the thread could not be read. */
  readonly missing: ReadonlySignal<ApiFailure | null>
  /** Why the last message was not taken, or its answer not written. */
  readonly refused: ReadonlySignal<ApiFailure | null>
  load(): Promise<void>
  earlier(): Promise<void>
  /** Whether it was taken: if not, what was typed is still the reader's to send. */
  send(ask: Ask): Promise<boolean>
  /** What was told about a message whose answer failed; null where that is not known any more. */
  toldOf(answer: ChatMessage): bigint | null
  /** Once more what failed and cost nothing, in its place and for the same price; false where that is not known any more. */
  again(answer: ChatMessage): Promise<boolean>
  stop(): Promise<void>
  change(edit: { title?: string; mode?: 'general' | 'code'; archived?: boolean }): Promise<void>
}
