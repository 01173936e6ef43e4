// The outcome of a turn, from its last event, or from the task if that event was handled before.
import type { TurnEnd } from './follow-turn.ts'
import type { TaskTurn } from './service.ts'
import type { TurnOutcome } from './types.ts'

export type EndedTurn = {
  readonly turnId: string
  /** As the task shows it. */
  readonly turn?: TaskTurn
  readonly event?: TurnEnd['event']
  /** False: the user stopped it, and it is finishing its last step. */
  readonly isOver: boolean
}

export const toOutcome = ({ turnId, turn, event, isOver }: EndedTurn, spentMinor: bigint): TurnOutcome => ({
  turnId,
  stopReason: event?.stopReason ?? turn?.stopReason ?? (isOver ? 'failed' : 'stopping'),
  summary: event?.summary ?? turn?.summary ?? null,
  verified: event?.verification?.verified ?? turn?.verified ?? false,
  spentMinor,
  withheld: event?.withheld ?? turn?.withheld ?? [],
})
