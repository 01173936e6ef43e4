// Which of the pages that a pass has found are worth reading. Pure: the same answers give the same choice.
import { bm25Scores, termsOf } from '../prompts/bm25.ts'
import { canonicalUrl } from '../reading/read-page.ts'
import { registrableDomain } from '../reading/registrable-domain.ts'
import type { ResearchPlan, SearchHit } from '../types.ts'

/** A page that was considered. The best come first, in the order in which they are to be read. */
export type PageCandidate = {
  /** The best place that the page was found at. */
  readonly hit: SearchHit
  readonly canonical: string
  /** The parts of the question that it was found for, in their order. */
  readonly subs: readonly number[]
  /** Null: to be read. */
  readonly reason: null | 'low_relevance' | `duplicate_of_${number}`
}

export type PageSelection = {
  readonly question: string
  readonly plan: ResearchPlan
  /** The canonical addresses of pages that need not be read again, with the numbers of their sources. */
  readonly known: ReadonlyMap<string, number>
  readonly pagesMax: number
  readonly perDomain: number
}

/** Whatever is found beyond these in one pass is not considered, and becomes no source. */
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
  // Where few sites speak of it, more of each is read rather than less in all.
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
  /** Its best place in each answer that has it, from 0. */
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

/** Each page once, wherever and however often it was found. */
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
    // In order, so that the sum of them is the same whichever answer came first.
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

// Reciprocal rank fusion: how little the first places differ.
const FUSION_CONSTANT = 60
/** Beside the words of a part of the question, those of the whole question count half. */
const QUESTION_WEIGHT = 0.5

/** By the places that a page was found at and, for each part of the question, by words: the best match counts as a first place. */
function scorePages(pages: readonly FoundPage[], selection: PageSelection): ScoredPage[] {
  const likeness = scoreByWords(pages, selection)
  return pages.map((page, at) => {
    const fused = page.ranks.reduce((sum, rank) => sum + 1 / (FUSION_CONSTANT + 1 + rank), 0)
    const scoreFor = (sub: number) => fused + (likeness.get(sub)?.[at] ?? 0) / (FUSION_CONSTANT + 1)
    const scores = new Map(page.subs.map((sub) => [sub, scoreFor(sub)]))
    return { ...page, domain: registrableDomain(page.hit.url), scores, best: Math.max(...scores.values()) }
  })
}

/** For each part of the question how well each page answers to it by its words, from 0 to 1. */
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

/** The parts of the question take turns, the one that has least first, and no domain comes more often than it should. */
function takeDiverse(pages: readonly ScoredPage[], { pagesMax, perDomain }: PageSelection): Set<ScoredPage> {
  const taken = new Set<ScoredPage>()
  const domains = new Map<string, number>()
  const queues = buildQueues(pages)
  const isFree = (page: ScoredPage) => !taken.has(page) && (domains.get(page.domain) ?? 0) < perDomain
  while (taken.size < Math.min(pagesMax, CONSIDERED_MAX)) {
    // What is not free now will not be free later.
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
