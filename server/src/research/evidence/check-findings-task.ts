// Looks up on a thread what is candidates about pages: long ones take a while, and strange ones longer.
import { parseFindings } from '../prompts/extract-prompt.ts'
import { quoteFindings } from '../prompts/quote-findings.ts'
import type { ResearchFinding, ResearchPlan, SourcePage } from '../types.ts'
import { checkFindings } from './check-findings.ts'

export type CheckInput = {
  readonly question: string
  readonly plan: ResearchPlan
  readonly pages: readonly SourcePage[]
  /** What the run has found before. */
  readonly known: readonly ResearchFinding[]
  /** What a model answered; null for what rules find. */
  readonly answer: string | null
}

export type CheckedFindings = {
  readonly added: readonly ResearchFinding[]
  /** Known ones that have more sources now. */
  readonly merged: readonly ResearchFinding[]
  /** How many did not hold. */
  readonly dropped: number
}

const QUOTED_PER_PAGE = 4
const FINDINGS_MAX = 300

/** Null when nothing can be read out of the answer. */
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
  // What is known already is no loss.
  return { added, merged, dropped: dropped.filter(({ reason }) => reason !== 'duplicate').length }
}
