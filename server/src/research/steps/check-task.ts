// Looks up on a thread what is said about pages: long ones take a while, and strange ones longer.
import { findingsIn, quotedFindings } from '../asking/asking.ts'
import { gateFindings } from '../citing/findings.ts'
import type { Finding, Page, Plan } from '../terms.ts'

export type CheckInput = {
  readonly question: string
  readonly plan: Plan
  readonly pages: readonly Page[]
  /** What the run has found before. */
  readonly known: readonly Finding[]
  /** What a model answered; null for what rules find. */
  readonly answer: string | null
}

export type Checked = {
  readonly added: readonly Finding[]
  /** Known ones that have more sources now. */
  readonly merged: readonly Finding[]
  /** How many did not hold. */
  readonly lost: number
}

const QUOTED_PER_PAGE = 4
const FINDINGS_MAX = 300

/** Null when nothing can be read out of the answer. */
export function run({ question, plan, pages, known, answer }: CheckInput): Checked | null {
  const shown = { pages: new Set(pages.map(({ n }) => n)), subs: plan.subquestions.length }
  const said =
    answer === null
      ? quotedFindings(plan, question, pages, { perPage: QUOTED_PER_PAGE })
      : findingsIn(answer, shown)
  if (!said) return null
  const { added, merged, dropped } = gateFindings(said, pages, known, { plan, perRunMax: FINDINGS_MAX })
  // What is known already is no loss.
  return { added, merged, lost: dropped.filter(({ reason }) => reason !== 'duplicate').length }
}
