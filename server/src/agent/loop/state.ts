// A loop: its fixed input and its current state.
import type { EditFailure } from '@cowrie/workspace/edits/failures.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { ContextReport } from '../prompt/context.ts'
import type { FailedEdit } from '../prompt/prompt.ts'
import type { PreparedRun } from '../quote/prepare.ts'
import type { WorkspaceFiles } from '../run/workspace.ts'
import type { AgentRunId } from '../sql.ts'
import type { ProgressStream } from './progress-stream.ts'
import type { AttemptResult } from './retry-policy.ts'
import type { LoopRequest } from './schema.ts'
import type { LoopStopSignals } from './stops.ts'
import type { TestVerdict } from './test-integrity/test-verdict.ts'

/** Fixed before any money is held. */
export type LoopPlan = {
  readonly id: AgentRunId
  readonly actor: Actor
  readonly request: LoopRequest
  readonly requestId: string
  readonly once: Once
  readonly open: () => EventStream
  /** The model route, the first prompt, and the most that the loop can cost. */
  readonly prepared: PreparedRun
  readonly maxIterations: number
  readonly base: WorkspaceFiles
  readonly stops: LoopStopSignals
}

/** The task of the next turn. */
export type NextTurn =
  | { readonly kind: 'edit' }
  /** No edit of the last answer could be applied. */
  | {
      readonly kind: 'repair'
      readonly failures: readonly FailedEdit[]
      readonly needsPaths: boolean
      /** The last answer, if no edit was found in it. */
      readonly unparsedText: string | null
    }
  | { readonly kind: 'fix'; readonly tests: string; readonly hint: string | undefined }

/** An attempt with the data needed to return to it. */
export type AttemptState = AttemptResult & {
  readonly workspace: WorkspaceFiles
  readonly verdict: TestVerdict | null
}

export type LoopState = {
  workspace: WorkspaceFiles
  nextTurn: NextTurn
  /** The first one is the original workspace. */
  attempts: AttemptState[]
  /** One line per attempt, as shown to the next one. */
  attemptSummaries: string[]
  /** Dispatched and charged iterations. */
  iterations: number
  chargedMinor: bigint
  spentMicroKobo: bigint
  plan: string
  summary: string
  /** The model's summary for each workspace. */
  summaries: Map<WorkspaceFiles, string>
  /** At least one answer intended to change files. */
  intendedEdits: boolean
  /** The last answer intended edits, but none was found. */
  isUnparsed: boolean
  /** The latest description of each path. */
  descriptions: Map<string, string>
  /** Refused paths, by path. */
  dropped: Map<string, { readonly path: string; readonly reason: string }>
  /** Edits of the last answer that could not be applied. */
  failures: readonly EditFailure[]
  warnings: Set<string>
  context: ContextReport
}

export type AgentLoop = {
  readonly app: App
  readonly plan: LoopPlan
  readonly state: LoopState
  /** Set when the stream opens, before the model answers. */
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
