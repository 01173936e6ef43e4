// Types that the parts of research share. No code, so that no part depends on another for a type.
import type { Id } from '../kernel/ids.ts'

export type ResearchRunId = Id<'run'>

export const DEPTHS = ['quick', 'standard', 'exhaustive'] as const
export type Depth = (typeof DEPTHS)[number]

export const LANE_MODES = ['open', 'synthesis-frontier', 'frontier'] as const
export type ResearchLaneMode = (typeof LANE_MODES)[number]

/** The purpose of a model turn. */
export type TurnPurpose = 'clarify' | 'plan' | 'extract' | 'gap' | 'report' | 'repair'

/** The choices of the caller beside question, depth and budget. */
export type RunOptions = {
  /** Whether a model may ask a clarifying question first. */
  readonly clarify: boolean
  /** Whether the plan waits for approval. */
  readonly approvePlan: boolean
  readonly searchWeb: boolean
  /** Names of indexed repositories that are searched too. */
  readonly repositories: readonly string[]
  /** The question of the run that this one follows. */
  readonly context: string | null
}

/** A waiting run needs this from its user. */
export const RUN_NEEDS = ['answer', 'approval'] as const
export type RunNeeds = (typeof RUN_NEEDS)[number]
export type Clarification = { readonly questions: readonly string[]; readonly answer: string | null }

/** One part of the question. Its number is its index in the plan. */
export type SubQuestion = {
  readonly question: string
  readonly queries: readonly string[]
}
export type ResearchPlan = { readonly subquestions: readonly SubQuestion[] }

/** A search query, and its subquestion. */
export type SearchQuery = { readonly text: string; readonly sub: number }

/** One search result. `rank` is its index in the result list. */
export type SearchHit = {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly rank: number
  readonly query: SearchQuery
}

/** The stored text of a page, which quotes are checked against. */
export type SourcePage = {
  readonly n: number
  readonly title: string
  readonly url: string
  readonly text: string
}

export const FINDING_KINDS = ['fact', 'number', 'definition', 'opinion'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** A subquestion without a sufficient answer, and why. */
export type CoverageGap = { readonly sub: number; readonly question: string; readonly why: string }

/** A finding as the model states it, before it is checked. */
export type FindingCandidate = {
  readonly n: number
  readonly sub: number
  readonly claim: string
  readonly quote: string
  readonly kind: FindingKind
}

/** A verified finding: the quote occurs in the snapshot of each source. */
export type ResearchFinding = {
  /** `F1`, `F2`, … within its run. */
  readonly id: string
  readonly sub: number
  readonly claim: string
  readonly quote: string
  readonly kind: FindingKind
  /** Numbers of the supporting sources; the first is the one that it was read in. */
  readonly sources: readonly number[]
}

export type ReportSource = {
  readonly n: number
  readonly url: string
  readonly title: string
  readonly status: 'read' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly sha256: string | null
  readonly fetchedAt: Date | null
}

export type ResearchStopReason = 'completed' | 'budget' | 'wall_clock' | 'cancelled' | 'error'
