// Checks findings on a worker thread, because long pages take time.
import { parseFindings } from '../prompts/extract-prompt.ts'
import { quoteFindings } from '../prompts/quote-findings.ts'
import type { ResearchFinding, ResearchPlan, SourcePage } from '../types.ts'
import { checkFindings } from './check-findings.ts'

export type CheckInput = {
  readonly question: string
  readonly plan: ResearchPlan
  readonly pages: readonly SourcePage[]
  /** Findings that the run already has. */
  readonly known: readonly ResearchFinding[]
  /** The answer of a model; null to quote sentences by rules. */
  readonly answer: string | null
}

export type CheckedFindings = {
  readonly added: readonly ResearchFinding[]
  /** Known findings with added sources. */
  readonly merged: readonly ResearchFinding[]
  /** How many candidates were rejected. */
  readonly dropped: number
}

const QUOTED_PER_PAGE = 4
const FINDINGS_MAX = 300

/** Null if the answer cannot be parsed. */
export function run({ question, plan, pages, known, answer }: CheckInput): CheckedFindings | null {
  const shown = { pages: new Set(pages.map(({ n }) => n)), subs: plan.subquestions.length }
  const candidates =
    answer === null
      ? quoteFindings(plan, question, pages, { perPage: QUOTED_PER_PAGE })
      : parseFindings(answer, shown)
  if (!candidates) return null
  const { added, merged, dropped } = checkFindings(candidates, pages, known, {
    plan,
    perRunMax: FINDINGS_MAX,
  })
  // Duplicates do not count as dropped.
  return { added, merged, dropped: dropped.filter(({ reason }) => reason !== 'duplicate').length }
}
