// What a run does next, from what is known of it. Pure: the same run at the same instant always goes the same way.

import type { Unsupported } from './report/verify.ts'
import type { Source } from './sources-sql.ts'
import type { Run } from './sql.ts'
import type { Query, StopReason } from './terms.ts'

export type Known = {
  readonly run: Run
  /** Outcomes of the steps that are done, by name. */
  readonly done: ReadonlyMap<string, unknown>
  readonly sources: readonly Pick<Source, 'n' | 'pass' | 'status' | 'reason'>[]
  /** Whether the time for reading is over. */
  readonly isLate: boolean
}

export type Step =
  | { readonly kind: 'plan' }
  | { readonly kind: 'search'; readonly pass: number; readonly queries: readonly Query[] }
  | { readonly kind: 'read'; readonly pass: number }
  /** Those that come next are read instead of those that could not be. */
  | { readonly kind: 'refill'; readonly pass: number; readonly numbers: readonly number[] }
  | {
      readonly kind: 'extract'
      readonly pass: number
      readonly batch: number
      readonly pages: readonly number[]
    }
  | { readonly kind: 'gap'; readonly pass: number }
  | { readonly kind: 'report'; readonly stopReason: StopReason }
  | { readonly kind: 'repair' }
  | { readonly kind: 'publish' }
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'cancelled' }

/** What steps leave for later ones; with why, where they had to do without a model. */
export type StepOutcome = { readonly without?: string }
export type SearchOutcome = { readonly isFailed: boolean }
export type GapOutcome = { readonly queries: readonly Query[] }
export type ReportOutcome = {
  readonly markdown: string | null
  /** The first of its sentences that do not hold. */
  readonly unsupported: readonly Unsupported[]
  readonly stopReason: StopReason
}
/** New words for sentences that did not hold, by their place among those. */
export type RepairOutcome = { readonly repairs: readonly (readonly [number, string])[] }

export const stepName = {
  plan: 'plan',
  search: (pass: number) => `search.${pass}`,
  refill: (pass: number) => `refill.${pass}`,
  extract: (pass: number, batch: number) => `extract.${pass}.${batch}`,
  gap: (pass: number) => `gap.${pass}`,
  report: 'report',
  repair: 'repair',
} as const

export function nextStep(known: Known): Step {
  const { run, done } = known
  if (run.status === 'cancelled') return { kind: 'cancelled' }
  const report = done.get(stepName.report) as ReportOutcome | undefined
  if (report !== undefined)
    return report.markdown === null || done.has(stepName.repair) ? { kind: 'publish' } : { kind: 'repair' }
  if (isUnanswered(known)) return { kind: 'fail', code: 'search_failed' }
  const stopReason = run.stopReason ?? (known.isLate ? 'wall_clock' : null)
  if (stopReason !== null) return { kind: 'report', stopReason }
  if (run.plan === null) return { kind: 'plan' }
  for (let pass = 1; pass <= run.limits.passes; pass++) {
    const step = nextOfPass(known, pass)
    if (step !== 'over') return step
  }
  return { kind: 'report', stopReason: 'completed' }
}

/** Without a single answer there is nothing to read and nothing to say. */
function isUnanswered({ done, sources }: Known): boolean {
  const first = done.get(stepName.search(1)) as SearchOutcome | undefined
  return first?.isFailed === true && sources.length === 0
}

function nextOfPass({ run, done, sources }: Known, pass: number): Step | 'over' {
  const searched = done.get(stepName.search(pass)) as SearchOutcome | undefined
  if (searched === undefined) {
    const queries = queriesOf(run, done, pass)
    return queries.length === 0
      ? { kind: 'report', stopReason: 'completed' }
      : { kind: 'search', pass, queries }
  }
  const own = sources.filter((source) => source.pass === pass)
  if (own.some(({ status }) => status === 'queued')) return { kind: 'read', pass }
  const numbers = done.has(stepName.refill(pass)) ? [] : instead(own)
  if (numbers.length > 0) return { kind: 'refill', pass, numbers }
  const extract = nextBatch({ run, done }, pass, own)
  if (extract) return extract
  if (pass === run.limits.passes || done.has(stepName.gap(pass))) return 'over'
  return { kind: 'gap', pass }
}

/** As many of those that were passed over, the best first, as could not be read. */
function instead(own: Known['sources']): number[] {
  const isPassedOver = ({ reason }: Pick<Source, 'reason'>) => reason === 'low_relevance'
  const unread = own.filter((source) => source.status !== 'read' && !isPassedOver(source)).length
  return own
    .filter(isPassedOver)
    .slice(0, unread)
    .map(({ n }) => n)
}

function nextBatch(
  { run, done }: Pick<Known, 'run' | 'done'>,
  pass: number,
  own: Known['sources'],
): Step | undefined {
  const numbers = own.filter(({ status }) => status === 'read').map(({ n }) => n)
  const size = run.limits.extractBatch
  for (let batch = 1; (batch - 1) * size < numbers.length; batch++)
    if (!done.has(stepName.extract(pass, batch)))
      return { kind: 'extract', pass, batch, pages: numbers.slice((batch - 1) * size, batch * size) }
  return undefined
}

/** What the plan wants to know at first, and later what is still missing. */
function queriesOf({ plan, limits }: Run, done: Known['done'], pass: number): readonly Query[] {
  if (pass > 1) return (done.get(stepName.gap(pass - 1)) as GapOutcome | undefined)?.queries ?? []
  return (plan?.subquestions ?? []).flatMap(({ queries }, sub) =>
    queries.slice(0, limits.queriesPerSub).map((text) => ({ text, sub })),
  )
}
