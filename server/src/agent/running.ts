// A run while it is worked on.
import type { FinishedTurn } from '../metering/metering.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Prepared } from './prepare.ts'
import type { AgentRunRequest } from './schema.ts'
import type { RunId } from './sql.ts'

export type Running = {
  readonly id: RunId
  readonly actor: Actor
  readonly body: AgentRunRequest
  readonly prepared: Prepared
  readonly signal: AbortSignal
  /** Turns whose money is held and not yet settled, in their order. */
  readonly taken: FinishedTurn[]
}
