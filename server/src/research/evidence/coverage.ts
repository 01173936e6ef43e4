// Measures how well each subquestion is answered: how many sites cover it, and where they contradict each other.
import { registrableDomain } from '../../platform/egress/registrable-domain.ts'
import type { CoverageGap, ReportSource, ResearchFinding, ResearchPlan } from '../types.ts'
import { findNames } from './check-claim.ts'
import { type TextToken, tokenize } from './tokens.ts'
import { contentStems, scaleOf } from './word-lists.ts'

export type Coverage = {
  readonly sub: number
  readonly findings: readonly string[]
  /** The distinct sites of the findings, sorted. */
  readonly domains: readonly string[]
}
export type FindingConflict = {
  readonly sub: number
  readonly one: ResearchFinding
  readonly other: ResearchFinding
}

/** A subquestion with this many sites is covered. */
const DOMAINS_MIN = 2
/** Below this many findings per read page, another pass is not worth its cost. */
const YIELD_MIN = 0.15
const CONFLICTS_MAX = 6

export function computeCoverage(
  plan: ResearchPlan,
  findings: readonly ResearchFinding[],
  sources: readonly Pick<ReportSource, 'n' | 'url'>[],
): Coverage[] {
  const domains = new Map(sources.map(({ n, url }) => [n, registrableDomain(url)]))
  return plan.subquestions.map((_, sub) => {
    const own = findings.filter((finding) => finding.sub === sub)
    const sites = own.flatMap((finding) => finding.sources.map((n) => domains.get(n) ?? ''))
    return {
      sub,
      findings: own.map(({ id }) => id),
      domains: Array.from(new Set(sites.filter((site) => site !== ''))).sort(),
    }
  })
}

/** Subquestions with fewer than two sites or with conflicting sources, in plan order. */
export function findGaps(
  plan: ResearchPlan,
  findings: readonly ResearchFinding[],
  sources: readonly Pick<ReportSource, 'n' | 'url'>[],
): CoverageGap[] {
  const disputed = findConflicts(findings)
  return computeCoverage(plan, findings, sources).flatMap(({ sub, findings: ids, domains }) => {
    const question = plan.subquestions[sub]?.question ?? ''
    if (ids.length === 0) return [{ sub, question, why: 'nothing was found' }]
    const conflict = disputed.find((each) => each.sub === sub)
    if (conflict) {
      const [one, other] = [conflict.one.claim, conflict.other.claim]
      return [{ sub, question, why: `sources disagree: ${truncate(one)} / ${truncate(other)}` }]
    }
    return domains.length < DOMAINS_MIN ? [{ sub, question, why: 'only one site speaks to it' }] : []
  })
}

/** Another pass is worthwhile while gaps remain; after the first pass, only if reading still yields findings. */
export function isWorthAnotherPass(state: {
  readonly plan: ResearchPlan
  readonly findings: readonly ResearchFinding[]
  readonly sources: readonly ReportSource[]
  /** The pass that has just finished, from 1. */
  readonly pass: number
}): boolean {
  const { plan, findings, sources, pass } = state
  if (findGaps(plan, findings, sources).length === 0) return false
  const read = sources.filter(({ status }) => status === 'read').length
  return pass <= 1 || findings.length / Math.max(1, read) >= YIELD_MIN
}

/** Conflicts as text lines for the report prompt. */
export const describeConflicts = (plan: ResearchPlan, findings: readonly ResearchFinding[]): string[] =>
  findConflicts(findings)
    .filter(({ sub }) => sub < plan.subquestions.length)
    .map(({ one, other }) => `${one.id}: ${truncate(one.claim)} / ${other.id}: ${truncate(other.claim)}`)

/** Pairs of findings from different sources with different amounts for the same subject, unit and time. */
export function findConflicts(findings: readonly ResearchFinding[]): FindingConflict[] {
  const measured = findings
    .map((finding) => ({ finding, ...measureClaim(finding.claim) }))
    .filter(({ amounts }) => amounts.size > 0)
  const pairs = measured.flatMap((one, at) =>
    measured
      .slice(at + 1)
      .filter((other) => one.finding.sub === other.finding.sub && hasDifferentAmount(one, other))
      .map((other) => ({ sub: one.finding.sub, one: one.finding, other: other.finding })),
  )
  const listed = new Set<string>()
  return pairs
    .filter(({ one, other }) => {
      if (one.sources.some((n) => other.sources.includes(n))) return false
      // Each finding appears once as the second of a pair, so five values do not give ten conflicts.
      if (listed.has(other.id)) return false
      listed.add(other.id)
      return true
    })
    .slice(0, CONFLICTS_MAX)
}

type ClaimMeasure = {
  /** Amounts by unit. */
  readonly amounts: ReadonlyMap<string, ReadonlySet<number>>
  readonly years: ReadonlySet<string>
  readonly subject: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

function measureClaim(claim: string): ClaimMeasure {
  const words = tokenize(claim)
  const { tokens } = words
  const numbers = tokens.flatMap((token, at) => (token.kind === 'number' ? [at] : []))
  const isYear = (at: number) => /^(?:19|20)\d\d$/.test(tokens[at]?.norm ?? '')
  const amounts = new Map<string, Set<number>>()
  for (const at of numbers.filter((place) => !isYear(place))) {
    const { unit, amount } = amountAt(tokens, at)
    if (Number.isFinite(amount)) amounts.set(unit, (amounts.get(unit) ?? new Set()).add(amount))
  }
  const years = numbers.filter(isYear).map((at) => tokens[at]?.norm ?? '')
  const units = new Set(amounts.keys())
  const subject = Array.from(contentStems(tokens)).filter((stem) => !units.has(stem))
  const names = new Set(findNames(words).map(({ norm }) => norm))
  return { amounts, years: new Set(years), subject: new Set(subject), names }
}

const MONEY = /^[$€£¥₦₹₵₽]$/

function amountAt(tokens: readonly TextToken[], at: number): { unit: string; amount: number } {
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  const scale = next && scaleOf(next)
  const after = scale ? tokens[at + 2] : next
  const amount = Number(tokens[at]?.norm) * (scale ?? 1)
  if (before && MONEY.test(before.norm)) return { unit: before.norm, amount }
  const unit = after?.kind === 'sign' ? after.norm : Array.from(contentStems(after ? [after] : []))[0]
  return { unit: unit ?? '', amount }
}

/** Share of the subject that two claims must have in common. */
const SAME_SUBJECT = 0.5

function hasDifferentAmount(one: ClaimMeasure, other: ClaimMeasure): boolean {
  const shared = one.subject.intersection(other.subject).size
  const least = Math.min(one.subject.size, other.subject.size)
  if (shared < 2 || shared / least < SAME_SUBJECT) return false
  // Each names something that the other does not, such as two countries or two companies.
  if (!one.names.isSubsetOf(other.names) && !other.names.isSubsetOf(one.names)) return false
  if (one.years.size > 0 && other.years.size > 0 && one.years.isDisjointFrom(other.years)) return false
  const different = Array.from(one.amounts).map(([unit, amounts]) => {
    const others = other.amounts.get(unit)
    return others?.isDisjointFrom(amounts) ? Math.min(amounts.size, others.size) : 0
  })
  // If several figures differ, the claims describe different cases, such as fees for 100 and for 200.
  return different.reduce((sum, count) => sum + count, 0) === 1
}

const truncate = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text)
