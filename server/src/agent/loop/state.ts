// A loop: what it was given once and for all, and where it stands.
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { ContextReport } from '../context.ts'
import type { EditFailure } from '../edits/edits.ts'
import type { Prepared } from '../prepare.ts'
import type { FailedEdit } from '../prompt.ts'
import type { RunId } from '../sql.ts'
import type { Judged } from './evidence.ts'
import type { Narration } from './narration.ts'
import type { Attempt } from './progress.ts'
import type { LoopRequest } from './schema.ts'
import type { Stops } from './stops.ts'
import type { Workspace } from './workspace.ts'

/** Decided before anything is held. */
export type Plan = {
  readonly id: RunId
  readonly actor: Actor
  readonly request: LoopRequest
  readonly once: Once
  readonly open: () => EventStream
  /** Who answers, what the first turn reads, and the most that the loop costs. */
  readonly prepared: Prepared
  readonly maxIterations: number
  readonly base: Workspace
  readonly stops: Stops
}

/** What the next turn is asked. */
export type Errand =
  | { readonly kind: 'edit' }
  /** Nothing of the last answer could be applied. */
  | {
      readonly kind: 'repair'
      readonly failures: readonly FailedEdit[]
      readonly needsPaths: boolean
      /** The last answer, where no edit could be found in it. */
      readonly unread: string | null
    }
  | { readonly kind: 'fix'; readonly tests: string; readonly hint: string | undefined }

/** An attempt with all that is needed to go back to it. */
export type Tried = Attempt & { readonly workspace: Workspace; readonly judged: Judged | null }

export type State = {
  workspace: Workspace
  errand: Errand
  /** The first is the workspace as it came. */
  tried: Tried[]
  /** One line for each attempt, as the next one reads it. */
  lines: string[]
  /** Those that were dispatched and charged. */
  iterations: number
  chargedMinor: bigint
  spentMicroKobo: bigint
  plan: string
  summary: string
  /** What the model said about each state of the workspace. */
  summaries: Map<Workspace, string>
  /** Some answer meant to change files. */
  hasTried: boolean
  /** No edit could be found in the last answer, which meant to make some. */
  isUnread: boolean
  /** The last words about each path. */
  why: Map<string, string>
  /** What a model tried to write and must not, by path. */
  dropped: Map<string, { readonly path: string; readonly reason: string }>
  /** What of the last answer could not be applied. */
  failures: readonly EditFailure[]
  warnings: Set<string>
  context: ContextReport
}

export type Loop = {
  readonly app: App
  readonly plan: Plan
  readonly state: State
  /** There once the stream is open, which is before the first word of a model. */
  narration: Narration
}

export const startingState = (base: Workspace): State => ({
  workspace: base,
  errand: { kind: 'edit' },
  tried: [],
  lines: [],
  iterations: 0,
  chargedMinor: 0n,
  spentMicroKobo: 0n,
  plan: '',
  summary: '',
  summaries: new Map(),
  hasTried: false,
  isUnread: false,
  why: new Map(),
  dropped: new Map(),
  failures: [],
  warnings: new Set(),
  context: { included: [], omitted: [] },
})
