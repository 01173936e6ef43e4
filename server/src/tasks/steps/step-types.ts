// The stored content of the steps of a turn.
import type { Block } from '../../platform/wires/conversation.ts'
import { type ClientToolCall, isToolName, type ToolCall } from '../tools/tools.ts'
import type { StepOfTask } from './turn-context.ts'

export type ModelOutcome = {
  readonly blocks: readonly Block[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  readonly model: string
}

export type CompactOutcome = { readonly summary: string }

export type ToolInput = {
  readonly tool: string
  /** The arguments as the model wrote them, if they are the JSON of an object. */
  readonly arguments: string
  /** Null with a problem: the call is not run, and the model reads the problem. */
  readonly call: ToolCall | ClientToolCall | null
  readonly problem?: string
  /** A tool of the caller that is not read-only. */
  readonly mayWrite?: boolean
  readonly isApproved?: boolean
  /** The provider's proof of the reasoning before the call. */
  readonly signature?: string
}

export type ToolOutcome = {
  readonly ok: boolean
  readonly output: string
  readonly isTruncated: boolean
}

/** Only the engine writes these columns. */
export const modelOutcomeOf = ({ outcome }: StepOfTask): ModelOutcome => outcome as ModelOutcome
export const toolInputOf = ({ input }: StepOfTask): ToolInput => input as ToolInput
/** The call of a tool of the service. */
export const serviceCallOf = ({ call }: ToolInput): ToolCall | null =>
  call && isToolName(call.name) ? (call as ToolCall) : null
export const toolOutcomeOf = ({ outcome }: StepOfTask): ToolOutcome | null => outcome as ToolOutcome | null

export const textOf = ({ blocks }: ModelOutcome): string =>
  blocks
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n')
    .trim()

/** The id of a tool call: unique in its task, and accepted by every provider. */
export const callIdOf = (ordinal: number, n: number): string => `call_${ordinal}_${n}`
