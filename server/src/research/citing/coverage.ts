// How well the parts of a question are answered: how many sites speak to each, and where they contradict each other.
import { domainOf } from '../domain.ts'
import type { Finding, Gap, ListedSource, Plan } from '../terms.ts'
import { namesIn } from './claims.ts'
import { type Token, wordsOf } from './tokens.ts'
import { contentOf, scaleOf } from './words.ts'

export type Coverage = {
  readonly sub: number
  readonly findings: readonly string[]
  /** The sites that the findings come from, each once, sorted. */
  readonly domains: readonly string[]
}
export type Conflict = { readonly sub: number; readonly one: Finding; readonly other: Finding }

/** From this many sites on a part counts as covered. */
const DOMAINS_MIN = 2
/** Findings per page that was read below which looking further does not pay. */
const YIELD_MIN = 0.15
const CONFLICTS_MAX = 6

export function coverageOf(
  plan: Plan,
  findings: readonly Finding[],
  sources: readonly Pick<ListedSource, 'n' | 'url'>[],
): Coverage[] {
  const domains = new Map(sources.map(({ n, url }) => [n, domainOf(url)]))
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

/** The parts that fewer than two sites speak to, or that sources disagree on, in the order of the plan. */
export function gapsOf(
  plan: Plan,
  findings: readonly Finding[],
  sources: readonly Pick<ListedSource, 'n' | 'url'>[],
): Gap[] {
  const disputed = disagreements(findings)
  return coverageOf(plan, findings, sources).flatMap(({ sub, findings: ids, domains }) => {
    const question = plan.subquestions[sub]?.question ?? ''
    if (ids.length === 0) return [{ sub, question, why: 'nothing was found' }]
    const conflict = disputed.find((each) => each.sub === sub)
    if (conflict) {
      const [one, other] = [conflict.one.claim, conflict.other.claim]
      return [{ sub, question, why: `sources disagree: ${shortened(one)} / ${shortened(other)}` }]
    }
    return domains.length < DOMAINS_MIN ? [{ sub, question, why: 'only one site speaks to it' }] : []
  })
}

/** Another pass pays while something is open, and after the first one only where reading still brings findings. */
export function isWorthAnotherPass(state: {
  readonly plan: Plan
  readonly findings: readonly Finding[]
  readonly sources: readonly ListedSource[]
  /** The pass that has just ended, from 1. */
  readonly pass: number
}): boolean {
  const { plan, findings, sources, pass } = state
  if (gapsOf(plan, findings, sources).length === 0) return false
  const read = sources.filter(({ status }) => status === 'read').length
  return pass <= 1 || findings.length / Math.max(1, read) >= YIELD_MIN
}

/** What sources disagree on, as lines for whoever writes about it. */
export const conflictsOf = (plan: Plan, findings: readonly Finding[]): string[] =>
  disagreements(findings)
    .filter(({ sub }) => sub < plan.subquestions.length)
    .map(({ one, other }) => `${one.id}: ${shortened(one.claim)} / ${other.id}: ${shortened(other.claim)}`)

/** Pairs of findings of different sources about the same thing in the same unit at the same time, with other numbers. */
export function disagreements(findings: readonly Finding[]): Conflict[] {
  const measured = findings
    .map((finding) => ({ finding, ...measureOf(finding.claim) }))
    .filter(({ amounts }) => amounts.size > 0)
  const pairs = measured.flatMap((one, at) =>
    measured
      .slice(at + 1)
      .filter((other) => one.finding.sub === other.finding.sub && isOtherwise(one, other))
      .map((other) => ({ sub: one.finding.sub, one: one.finding, other: other.finding })),
  )
  const told = new Set<string>()
  return pairs
    .filter(({ one, other }) => {
      if (one.sources.some((n) => other.sources.includes(n))) return false
      // Each is told of once: five that say five things are not ten disagreements.
      if (told.has(other.id)) return false
      told.add(other.id)
      return true
    })
    .slice(0, CONFLICTS_MAX)
}

type Measure = {
  /** By unit, the amounts in it. */
  readonly amounts: ReadonlyMap<string, ReadonlySet<number>>
  readonly years: ReadonlySet<string>
  readonly subject: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

function measureOf(claim: string): Measure {
  const words = wordsOf(claim)
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
  const subject = Array.from(contentOf(tokens)).filter((stem) => !units.has(stem))
  const names = new Set(namesIn(words).map(({ norm }) => norm))
  return { amounts, years: new Set(years), subject: new Set(subject), names }
}

const MONEY = /^[$€£¥₦₹₵₽]$/

function amountAt(tokens: readonly Token[], at: number): { unit: string; amount: number } {
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  const scale = next && scaleOf(next)
  const after = scale ? tokens[at + 2] : next
  const amount = Number(tokens[at]?.norm) * (scale ?? 1)
  if (before && MONEY.test(before.norm)) return { unit: before.norm, amount }
  const unit = after?.kind === 'sign' ? after.norm : Array.from(contentOf(after ? [after] : []))[0]
  return { unit: unit ?? '', amount }
}

/** How much of what they are about two claims must have in common. */
const SAME_SUBJECT = 0.5

function isOtherwise(one: Measure, other: Measure): boolean {
  const shared = one.subject.intersection(other.subject).size
  const least = Math.min(one.subject.size, other.subject.size)
  if (shared < 2 || shared / least < SAME_SUBJECT) return false
  // Each speaks of something that the other does not: two countries, two companies.
  if (!one.names.isSubsetOf(other.names) && !other.names.isSubsetOf(one.names)) return false
  if (one.years.size > 0 && other.years.size > 0 && one.years.isDisjointFrom(other.years)) return false
  const different = Array.from(one.amounts).filter(([unit, amounts]) => {
    const others = other.amounts.get(unit)
    return others !== undefined && amounts.isDisjointFrom(others)
  })
  // Where more than one figure differs they speak of two cases: a fee for 100 and a fee for 200.
  return different.length === 1
}

const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 159)}…` : text)
