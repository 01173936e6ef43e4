// Decides the next step of a run from its state. Pure: the same state always gives the same step.

import type { UnsupportedSentence } from '../report/verify-draft.ts'
import type { RunRecord } from '../runs-sql.ts'
import type { ResearchSource } from '../sources-sql.ts'
import type { ResearchStopReason, SearchQuery } from '../types.ts'

export type RunState = {
  readonly run: RunRecord
  /** Outcomes of finished steps by name. */
  readonly done: ReadonlyMap<string, unknown>
  readonly sources: readonly Pick<ResearchSource, 'n' | 'pass' | 'status' | 'reason'>[]
  /** Whether the reading deadline has passed. */
  readonly isLate: boolean
}

export type ResearchStep =
  | { readonly kind: 'clarify' }
  | { readonly kind: 'plan' }
  /** Asks the user to approve the plan. */
  | { readonly kind: 'approval' }
  /** The run waits for its user. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'search'; readonly pass: number; readonly queries: readonly SearchQuery[] }
  | { readonly kind: 'read'; readonly pass: number }
  /** Requeues low-relevance sources to replace sources that could not be read. */
  | { readonly kind: 'refill'; readonly pass: number; readonly numbers: readonly number[] }
  | {
      readonly kind: 'extract'
      readonly pass: number
      readonly batch: number
      readonly pages: readonly number[]
    }
  | { readonly kind: 'gap'; readonly pass: number }
  | { readonly kind: 'report'; readonly stopReason: ResearchStopReason }
  | { readonly kind: 'repair' }
  | { readonly kind: 'publish' }
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'cancelled' }

/** Outcomes that steps save for later steps. `without` is the reason if no model was used. */
export type StepOutcome = { readonly without?: string }
export type SearchOutcome = { readonly isFailed: boolean }
export type GapOutcome = { readonly queries: readonly SearchQuery[] }
export type ReportOutcome = {
  readonly markdown: string | null
  /** The first unsupported sentences. */
  readonly unsupported: readonly UnsupportedSentence[]
  readonly stopReason: ResearchStopReason
}
/** Repaired sentences by their index among the unsupported ones. */
export type RepairOutcome = { readonly repairs: readonly (readonly [number, string])[] }

export const stepName = {
  clarify: 'clarify',
  plan: 'plan',
  approval: 'approval',
  search: (pass: number) => `search.${pass}`,
  refill: (pass: number) => `refill.${pass}`,
  extract: (pass: number, batch: number) => `extract.${pass}.${batch}`,
  gap: (pass: number) => `gap.${pass}`,
  report: 'report',
  repair: 'repair',
} as const

export function nextStep(state: RunState): ResearchStep {
  const { run, done } = state
  if (run.status === 'cancelled') return { kind: 'cancelled' }
  if (run.needs !== null) return { kind: 'wait' }
  const report = done.get(stepName.report) as ReportOutcome | undefined
  if (report !== undefined)
    return report.markdown === null || done.has(stepName.repair) ? { kind: 'publish' } : { kind: 'repair' }
  if (hasNoSearchAnswer(state)) return { kind: 'fail', code: 'search_failed' }
  const stopReason = run.stopReason ?? (state.isLate ? 'wall_clock' : null)
  if (stopReason !== null) return { kind: 'report', stopReason }
  if (run.options.clarify && !done.has(stepName.clarify)) return { kind: 'clarify' }
  if (run.plan === null) return { kind: 'plan' }
  if (run.options.approvePlan && !done.has(stepName.approval)) return { kind: 'approval' }
  for (let pass = 1; pass <= run.limits.passes; pass++) {
    const step = nextStepOfPass(state, pass)
    if (step !== 'over') return step
  }
  return { kind: 'report', stopReason: 'completed' }
}

/** No search was answered, so there is nothing to read or report. */
function hasNoSearchAnswer({ done, sources }: RunState): boolean {
  const first = done.get(stepName.search(1)) as SearchOutcome | undefined
  return first?.isFailed === true && sources.length === 0
}

function nextStepOfPass({ run, done, sources }: RunState, pass: number): ResearchStep | 'over' {
  const searched = done.get(stepName.search(pass)) as SearchOutcome | undefined
  if (searched === undefined && searches(run)) {
    const queries = queriesFor(run, done, pass)
    return queries.length === 0
      ? { kind: 'report', stopReason: 'completed' }
      : { kind: 'search', pass, queries }
  }
  const own = sources.filter((source) => source.pass === pass)
  if (own.some(({ status }) => status === 'queued')) return { kind: 'read', pass }
  const numbers = done.has(stepName.refill(pass)) ? [] : pickReplacements(own)
  if (numbers.length > 0) return { kind: 'refill', pass, numbers }
  const extract = nextBatch({ run, done }, pass, own)
  if (extract) return extract
  if (pass === run.limits.passes || done.has(stepName.gap(pass))) return 'over'
  return { kind: 'gap', pass }
}

/** A run about given pages alone searches nothing. */
const searches = ({ options }: RunRecord): boolean => options.searchWeb || options.repositories.length > 0

/** Picks the best low-relevance sources, one for each source that could not be read. */
function pickReplacements(sources: RunState['sources']): number[] {
  const isPassedOver = ({ reason }: Pick<ResearchSource, 'reason'>) => reason === 'low_relevance'
  const unread = sources.filter((source) => source.status !== 'read' && !isPassedOver(source)).length
  return sources
    .filter(isPassedOver)
    .slice(0, unread)
    .map(({ n }) => n)
}

function nextBatch(
  { run, done }: Pick<RunState, 'run' | 'done'>,
  pass: number,
  sources: RunState['sources'],
): ResearchStep | undefined {
  const numbers = sources.filter(({ status }) => status === 'read').map(({ n }) => n)
  const size = run.limits.extractBatch
  for (let batch = 1; (batch - 1) * size < numbers.length; batch++)
    if (!done.has(stepName.extract(pass, batch)))
      return { kind: 'extract', pass, batch, pages: numbers.slice((batch - 1) * size, batch * size) }
  return undefined
}

/** The first pass uses the queries of the plan; later passes use those of the gap step. */
function queriesFor(
  { plan, limits }: RunRecord,
  done: RunState['done'],
  pass: number,
): readonly SearchQuery[] {
  if (pass > 1) return (done.get(stepName.gap(pass - 1)) as GapOutcome | undefined)?.queries ?? []
  return (plan?.subquestions ?? []).flatMap(({ queries }, sub) =>
    queries.slice(0, limits.queriesPerSub).map((text) => ({ text, sub })),
  )
}
