// A loop: what it was given once and for all, and where it stands.
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { EditFailure } from '../edits/apply/failures.ts'
import type { ContextReport } from '../prompt/context.ts'
import type { FailedEdit } from '../prompt/prompt.ts'
import type { PreparedRun } from '../quote/prepare.ts'
import type { WorkspaceFiles } from '../run/workspace.ts'
import type { AgentRunId } from '../sql.ts'
import type { ProgressStream } from './progress-stream.ts'
import type { AttemptResult } from './retry-policy.ts'
import type { LoopRequest } from './schema.ts'
import type { StopSignals } from './stops.ts'
import type { TestVerdict } from './test-integrity/test-verdict.ts'

/** Decided before anything is held. */
export type LoopPlan = {
  readonly id: AgentRunId
  readonly actor: Actor
  readonly request: LoopRequest
  readonly once: Once
  readonly open: () => EventStream
  /** Who answers, what the first turn reads, and the most that the loop costs. */
  readonly prepared: PreparedRun
  readonly maxIterations: number
  readonly base: WorkspaceFiles
  readonly stops: StopSignals
}

/** What the next turn is asked. */
export type NextTurn =
  | { readonly kind: 'edit' }
  /** Nothing of the last answer could be applied. */
  | {
      readonly kind: 'repair'
      readonly failures: readonly FailedEdit[]
      readonly needsPaths: boolean
      /** The last answer, where no edit could be found in it. */
      readonly unparsedText: string | null
    }
  | { readonly kind: 'fix'; readonly tests: string; readonly hint: string | undefined }

/** An attempt with all that is needed to go back to it. */
export type AttemptState = AttemptResult & {
  readonly workspace: WorkspaceFiles
  readonly verdict: TestVerdict | null
}

export type LoopState = {
  workspace: WorkspaceFiles
  nextTurn: NextTurn
  /** The first is the workspace as it came. */
  attempts: AttemptState[]
  /** One line for each attempt, as the next one reads it. */
  attemptSummaries: string[]
  /** Those that were dispatched and charged. */
  iterations: number
  chargedMinor: bigint
  spentMicroKobo: bigint
  plan: string
  summary: string
  /** What the model said about each state of the workspace. */
  summaries: Map<WorkspaceFiles, string>
  /** Some answer meant to change files. */
  intendedEdits: boolean
  /** No edit could be found in the last answer, which meant to make some. */
  isUnparsed: boolean
  /** The last words about each path. */
  descriptions: Map<string, string>
  /** What a model tried to write and must not, by path. */
  dropped: Map<string, { readonly path: string; readonly reason: string }>
  /** What of the last answer could not be applied. */
  failures: readonly EditFailure[]
  warnings: Set<string>
  context: ContextReport
}

export type AgentLoop = {
  readonly app: App
  readonly plan: LoopPlan
  readonly state: LoopState
  /** There once the stream is open, which is before the first word of a model. */
  progressStream: ProgressStream
}

export const createLoopState = (base: WorkspaceFiles): LoopState => ({
  workspace: base,
  nextTurn: { kind: 'edit' },
  attempts: [],
  attemptSummaries: [],
  iterations: 0,
  chargedMinor: 0n,
  spentMicroKobo: 0n,
  plan: '',
  summary: '',
  summaries: new Map(),
  intendedEdits: false,
  isUnparsed: false,
  descriptions: new Map(),
  dropped: new Map(),
  failures: [],
  warnings: new Set(),
  context: { included: [], omitted: [] },
})
