// A run while it is worked on.
import type { FinishedTurn } from '../../metering/metering.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { PreparedRun } from '../quote/prepare.ts'
import type { AgentRunRequest } from '../schema.ts'
import type { AgentRunId } from '../sql.ts'

export type ActiveRun = {
  readonly id: AgentRunId
  readonly actor: Actor
  readonly body: AgentRunRequest
  readonly prepared: PreparedRun
  readonly signal: AbortSignal
  /** Turns whose money is held and not yet settled, in their order. */
  readonly taken: FinishedTurn[]
}
