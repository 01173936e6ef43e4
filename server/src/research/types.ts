// The words of research: what its parts hand to each other. No code, so that none of them depends on another for it.
import type { Id } from '../kernel/ids.ts'

export type ResearchRunId = Id<'run'>

export const DEPTHS = ['quick', 'standard', 'exhaustive'] as const
export type Depth = (typeof DEPTHS)[number]

export const LANE_MODES = ['open', 'synthesis-frontier', 'frontier'] as const
export type ResearchLaneMode = (typeof LANE_MODES)[number]

/** What a model turn is for. */
export type TurnPurpose = 'plan' | 'extract' | 'gap' | 'report' | 'repair'

/** One part of the question. Parts are numbered from 0 by their place in the plan. */
export type SubQuestion = {
  readonly question: string
  readonly queries: readonly string[]
}
export type ResearchPlan = { readonly subquestions: readonly SubQuestion[] }

/** What the search provider is asked, and for which part of the question. */
export type SearchQuery = { readonly text: string; readonly sub: number }

/** One result of a search. `rank` is its place in that answer, from 0. */
export type SearchHit = {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly rank: number
  readonly query: SearchQuery
}

/** A page as it was read: what quotes are checked against. */
export type SourcePage = {
  readonly n: number
  readonly title: string
  readonly url: string
  readonly text: string
}

export const FINDING_KINDS = ['fact', 'number', 'definition', 'opinion'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** A part of the question that is not answered well enough, and why. */
export type CoverageGap = { readonly sub: number; readonly question: string; readonly why: string }

/** What a model says it found, before anybody has checked it. */
export type FindingCandidate = {
  readonly n: number
  readonly sub: number
  readonly claim: string
  readonly quote: string
  readonly kind: FindingKind
}

/** What was found and holds: the quote occurs in the snapshot of each of the sources. */
export type ResearchFinding = {
  /** `F1`, `F2`, … within its run. */
  readonly id: string
  readonly sub: number
  readonly claim: string
  readonly quote: string
  readonly kind: FindingKind
  /** The numbers of the sources that say it, the first being the one that it was read in. */
  readonly sources: readonly number[]
}

/** A source as the report lists it. */
export type ReportSource = {
  readonly n: number
  readonly url: string
  readonly title: string
  readonly status: 'read' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly sha256: string | null
  readonly fetchedAt: Date | null
}

/** Why a run stopped. */
export type ResearchStopReason = 'completed' | 'budget' | 'wall_clock' | 'cancelled' | 'error'
