// Selects which found pages to read. Pure: the same results give the same selection.

import { registrableDomain } from '../../platform/egress/registrable-domain.ts'
import { bm25Scores, termsOf } from '../prompts/bm25.ts'
import { canonicalUrl } from '../reading/read-page.ts'
import type { ResearchPlan, SearchHit } from '../types.ts'

/** A considered page. Best first, in reading order. */
export type PageCandidate = {
  /** The best hit for the page. */
  readonly hit: SearchHit
  readonly canonical: string
  /** The subquestions that found it, in order. */
  readonly subs: readonly number[]
  /** Null: read it. */
  readonly reason: null | 'low_relevance' | `duplicate_of_${number}`
}

export type PageSelection = {
  readonly question: string
  readonly plan: ResearchPlan
  /** Canonical URLs that need no second read, with their source numbers. */
  readonly known: ReadonlyMap<string, number>
  readonly pagesMax: number
  readonly perDomain: number
}

/** Further pages of a pass are dropped and do not become sources. */
export const CONSIDERED_MAX = 60

export function selectPages(
  searched: readonly { readonly hits: readonly SearchHit[] }[],
  selection: PageSelection,
): PageCandidate[] {
  const pages = mergeHits(searched)
  const isKnown = ({ canonical }: FoundPage) => selection.known.has(canonical)
  const scored = scorePages(
    pages.filter((page) => !isKnown(page)),
    selection,
  )
  const diverse = takeDiverse(scored, selection)
  const others = scored
    .filter((page) => !diverse.has(page))
    .sort((a, b) => b.best - a.best || byAddress(a, b))
  // If there are few domains, more pages of each are read.
  const room = Math.max(0, Math.min(selection.pagesMax, CONSIDERED_MAX) - diverse.size)
  const taken = new Set([...diverse, ...others.slice(0, room)])
  const left = others.slice(room)
  const again = pages.filter(isKnown).sort(byAddress)
  return [
    ...[...taken].map((page) => toCandidate(page, null)),
    ...left.map((page) => toCandidate(page, 'low_relevance')),
    ...again.map((page) => toCandidate(page, `duplicate_of_${selection.known.get(page.canonical) ?? 0}`)),
  ].slice(0, CONSIDERED_MAX)
}

type FoundPage = {
  readonly canonical: string
  readonly hit: SearchHit
  readonly subs: readonly number[]
  /** Its best rank in each result, from 0. */
  readonly ranks: readonly number[]
}
type ScoredPage = FoundPage & {
  readonly domain: string
  readonly best: number
  readonly scores: ReadonlyMap<number, number>
}

const toCandidate = (
  { hit, canonical, subs }: FoundPage,
  reason: PageCandidate['reason'],
): PageCandidate => ({
  hit,
  canonical,
  subs,
  reason,
})

/** Merges hits of the same page. */
function mergeHits(searched: readonly { readonly hits: readonly SearchHit[] }[]): FoundPage[] {
  const found = new Map<string, { hits: SearchHit[]; ranks: number[] }>()
  for (const { hits } of searched) {
    const inThis = new Set<string>()
    for (const hit of hits.toSorted((a, b) => a.rank - b.rank)) {
      const canonical = canonicalUrl(hit.url)
      const page = found.get(canonical) ?? { hits: [], ranks: [] }
      found.set(canonical, page)
      page.hits.push(hit)
      if (!inThis.has(canonical)) page.ranks.push(hit.rank)
      inThis.add(canonical)
    }
  }
  return [...found].flatMap(([canonical, { hits, ranks }]) => {
    const [hit] = hits.sort(byRank)
    const subs = [...new Set(hits.map(({ query }) => query.sub))].sort((a, b) => a - b)
    // Sorted, so that the sum does not depend on the order of results.
    return hit ? [{ canonical, hit, subs, ranks: ranks.sort((a, b) => a - b) }] : []
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byAddress = (a: FoundPage, b: FoundPage): number =>
  compare(a.hit.url, b.hit.url) || compare(a.canonical, b.canonical)
const byRank = (a: SearchHit, b: SearchHit): number =>
  a.rank - b.rank ||
  compare(a.url, b.url) ||
  a.query.sub - b.query.sub ||
  compare(a.query.text, b.query.text) ||
  compare(a.title, b.title) ||
  compare(a.snippet, b.snippet)

// Constant of reciprocal rank fusion.
const FUSION_CONSTANT = 60
/** Weight of the whole question beside a subquestion. */
const QUESTION_WEIGHT = 0.5

/** Scores by rank and, for each subquestion, by words. The best word match counts as a first rank. */
function scorePages(pages: readonly FoundPage[], selection: PageSelection): ScoredPage[] {
  const likeness = scoreByWords(pages, selection)
  return pages.map((page, at) => {
    const fused = page.ranks.reduce((sum, rank) => sum + 1 / (FUSION_CONSTANT + 1 + rank), 0)
    const scoreFor = (sub: number) => fused + (likeness.get(sub)?.[at] ?? 0) / (FUSION_CONSTANT + 1)
    const scores = new Map(page.subs.map((sub) => [sub, scoreFor(sub)]))
    return { ...page, domain: registrableDomain(page.hit.url), scores, best: Math.max(...scores.values()) }
  })
}

/** Word match of each page for each subquestion, from 0 to 1. */
function scoreByWords(
  pages: readonly FoundPage[],
  { question, plan }: PageSelection,
): Map<number, readonly number[]> {
  const subs = [...new Set(pages.flatMap((page) => page.subs))]
  const texts = pages.map(({ hit }) => `${hit.title}\n${hit.snippet}`)
  const parts = subs.map((sub) => plan.subquestions[sub]?.question ?? '')
  const [whole, ...scores] = bm25Scores(texts, [question, ...parts].map(termsOf))
  return new Map(
    subs.map((sub, i) => {
      const sums = pages.map((_, at) => (scores[i]?.[at] ?? 0) + QUESTION_WEIGHT * (whole?.[at] ?? 0))
      const most = Math.max(...sums)
      return [sub, most > 0 ? sums.map((sum) => sum / most) : sums]
    }),
  )
}

/** Subquestions take turns, the one with the fewest pages first, with a limit per domain. */
function takeDiverse(pages: readonly ScoredPage[], { pagesMax, perDomain }: PageSelection): Set<ScoredPage> {
  const taken = new Set<ScoredPage>()
  const domains = new Map<string, number>()
  const queues = buildQueues(pages)
  const isFree = (page: ScoredPage) => !taken.has(page) && (domains.get(page.domain) ?? 0) < perDomain
  while (taken.size < Math.min(pagesMax, CONSIDERED_MAX)) {
    // A page that is blocked now stays blocked.
    for (const queue of queues) queue.pages = queue.pages.slice(findFirst(queue.pages, isFree))
    const waiting = queues.filter((queue) => queue.pages.length > 0)
    const least = Math.min(...waiting.map(({ has }) => has))
    const page = waiting.find(({ has }) => has === least)?.pages[0]
    if (!page) break
    taken.add(page)
    domains.set(page.domain, (domains.get(page.domain) ?? 0) + 1)
    for (const queue of queues) if (page.scores.has(queue.sub)) queue.has += 1
  }
  return taken
}

type Queue = { readonly sub: number; pages: readonly ScoredPage[]; has: number }

function buildQueues(pages: readonly ScoredPage[]): Queue[] {
  const subs = [...new Set(pages.flatMap(({ subs }) => subs))].sort((a, b) => a - b)
  return subs.map((sub) => {
    const scoreOf = (page: ScoredPage) => page.scores.get(sub) ?? 0
    const mine = pages.filter((page) => page.scores.has(sub))
    return { sub, has: 0, pages: mine.sort((a, b) => scoreOf(b) - scoreOf(a) || byAddress(a, b)) }
  })
}

function findFirst<T>(items: readonly T[], isWanted: (item: T) => boolean): number {
  const at = items.findIndex(isWanted)
  return at < 0 ? items.length : at
}
