// Accepts a finding only if its page supports it: the quote occurs there, and the claim says no more than the passage
// around it.

import { HTML_TAG } from '../../kernel/plain-markdown.ts'
import { detectLanguage } from '../reading/language.ts'
import type { TextSpan } from '../reading/sentences.ts'
import type { FindingCandidate, ResearchFinding, ResearchPlan, SourcePage } from '../types.ts'
import { findObjection, type Objection } from './check-claim.ts'
import { indexText, isQuotable, locateQuote, type TextIndex } from './locate-quote.ts'
import { quoteContextOf } from './quote-context.ts'
import { type TokenizedText, tokenize, tokensOf } from './tokens.ts'
import { contentStems } from './word-lists.ts'

export type DropReason =
  | 'quote_not_found'
  | 'claim_not_supported'
  | 'too_short'
  | 'duplicate'
  | 'bad_source'
  | 'limit'
export type DroppedFinding = { readonly candidate: FindingCandidate; readonly reason: DropReason }

export type FindingCheckResult = {
  /** New findings; their ids continue after the known ones. */
  readonly added: ResearchFinding[]
  /** Known findings with added sources, as they are now. */
  readonly merged: ResearchFinding[]
  readonly dropped: DroppedFinding[]
}

type FindingCheckLimits = { readonly plan: ResearchPlan; readonly perRunMax: number }

const CLAIM_MIN = 12
const CLAIM_MAX = 500
/** Pages often name their subject only once, at the start. */
const LEAD_CHARACTERS = 400
/** A claim shares this many words or numbers, or all it has, with its sentences. */
const SHARED_MIN = 2

/**
 * Checks candidates in order. A quote from another page than the named one is attributed to that page; a quote on
 * several pages names them all. A repeated finding only adds its sources.
 */
export function checkFindings(
  candidates: readonly FindingCandidate[],
  pages: readonly SourcePage[],
  known: readonly ResearchFinding[],
  { plan, perRunMax }: FindingCheckLimits,
): FindingCheckResult {
  const shelf = indexPages(pages, plan)
  const findings = known.slice()
  const shapes = findings.map(toFindingKey)
  const dropped: DroppedFinding[] = []
  for (const one of candidates) {
    const found = locateFinding(shelf, one)
    if (typeof found === 'string') {
      dropped.push({ candidate: one, reason: found })
      continue
    }
    const shape = toFindingKey(found)
    const at = shapes.findIndex((each) => isSameFinding(each, shape))
    const twin = findings[at]
    const isFull = findings.length >= perRunMax
    if (twin) {
      const sources = Array.from(new Set([...twin.sources, ...found.sources]))
      if (sources.length === twin.sources.length) dropped.push({ candidate: one, reason: 'duplicate' })
      findings[at] = sources.length === twin.sources.length ? twin : { ...twin, sources }
    } else if (isFull) dropped.push({ candidate: one, reason: 'limit' })
    else {
      findings.push({
        ...found,
        id: `F${nextNumber(findings)}`,
        sub: findSubquestion(one, plan),
        kind: one.kind,
      })
      shapes.push(shape)
    }
  }
  return {
    added: findings.slice(known.length),
    merged: findings.slice(0, known.length).filter((finding, at) => finding !== known[at]),
    dropped,
  }
}

const nextNumber = (findings: readonly ResearchFinding[]): number =>
  findings.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), 0) + 1

type LocatedFinding = Pick<ResearchFinding, 'claim' | 'quote' | 'sources'>

function locateFinding(index: PageIndex, candidate: FindingCandidate): LocatedFinding | DropReason {
  const claim = oneLine(candidate.claim)
  if (claim.length < CLAIM_MIN || !isQuotable(candidate.quote)) return 'too_short'
  if (!isClaim(claim)) return 'claim_not_supported'
  const named = index.pages.find(({ page }) => page.n === candidate.n)
  const others = index.pages.filter((each) => each !== named)
  const first = named && locateOnPage(named, candidate.quote)
  const words = tokenize(claim)
  if (first && findObjectionAt(index, words, first) === null)
    return toLocatedFinding(index, words, first, others)
  const further = others.flatMap((each) =>
    each.mayHave(candidate.quote) ? (locateOnPage(each, candidate.quote) ?? []) : [],
  )
  const places = [...(first ? [first] : []), ...further]
  if (places.length === 0) return named ? 'quote_not_found' : 'bad_source'
  return findSupport(index, words, places)
}

/** If a claim cannot be compared with its page or adds to it, the quote replaces the claim. */
function findSupport(
  index: PageIndex,
  claim: TokenizedText,
  places: readonly QuoteLocation[],
): LocatedFinding | DropReason {
  const objections = places.map((place) => ({ place, objection: findObjectionAt(index, claim, place) }))
  const rest = ({ page }: QuoteLocation) => index.pages.filter((each) => each.page !== page)
  const good = objections.find(({ objection }) => objection === null)
  if (good) return toLocatedFinding(index, claim, good.place, rest(good.place))
  const excessive = objections.find(({ objection }) => objection === 'script' || objection === 'addition')
  if (!excessive) return 'claim_not_supported'
  const { place } = excessive
  const quote = oneLine(quoteText(place))
  return isClaim(quote) ? toLocatedFinding(index, tokenize(quote), place, rest(place)) : 'claim_not_supported'
}

// Findings are plain text. URLs, images, markup or citations in a claim come from instructions on the page.
const NOT_PLAIN = /:\/\/|!\[|\[F\d|<[/!]/i
const isClaim = (text: string): boolean =>
  text.length <= CLAIM_MAX && !NOT_PLAIN.test(text) && text.search(HTML_TAG) === -1

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

type QuoteLocation = { readonly page: SourcePage; readonly span: TextSpan }

const quoteText = ({ page, span }: QuoteLocation): string => page.text.slice(span.start, span.end)

function locateOnPage({ page, index }: IndexedPage, quote: string): QuoteLocation | undefined {
  const span = locateQuote(index(), quote)
  return span ? { page, span } : undefined
}

/** Other pages count as sources if they contain the exact quote with the same meaning. */
function toLocatedFinding(
  index: PageIndex,
  claim: TokenizedText,
  place: QuoteLocation,
  others: readonly IndexedPage[],
): LocatedFinding {
  const quote = quoteText(place)
  const also = others.filter((each) => {
    const start = each.page.text.indexOf(quote)
    if (start < 0 || !locateOnPage(each, quote)) return false
    return (
      findObjectionAt(index, claim, { page: each.page, span: { start, end: start + quote.length } }) === null
    )
  })
  return {
    claim: claim.text,
    quote,
    sources: [place.page, ...also.map(({ page }) => page)].map(({ n }) => n),
  }
}

function findObjectionAt(
  { language }: PageIndex,
  claim: TokenizedText,
  { page, span }: QuoteLocation,
): Objection | null {
  const { paragraph, sentences, heading } = quoteContextOf(page.text, span)
  const itsLanguage = detectLanguage(paragraph, null)
  const evidence = {
    text: [tokenize(paragraph)],
    sentences: [tokenize(sentences)],
    context: [tokenize([page.title, heading, page.text.slice(0, LEAD_CHARACTERS)].join('\n'))],
    isForeign: language !== null && itsLanguage !== null && language !== itsLanguage,
  }
  return findObjection(claim, evidence, { sharedMin: SHARED_MIN })
}

/** Normalized claim and quote, for comparison. */
type FindingKey = { readonly claim: string; readonly quote: string }

const toFindingKey = ({ claim, quote }: LocatedFinding): FindingKey => ({
  claim: normalize(claim),
  quote: normalize(quote),
})

function isSameFinding(one: FindingKey, other: FindingKey): boolean {
  if (one.quote === other.quote) return true
  if (one.claim !== other.claim) return false
  return (
    one.quote.includes(other.quote) || other.quote.includes(one.quote) || overlaps(one.quote, other.quote)
  )
}

const normalize = (text: string): string =>
  tokensOf(text)
    .map(({ norm }) => norm)
    .join(' ')

/** Whether the start of one occurs in the other, for at least half of the shorter. */
function overlaps(one: string, other: string): boolean {
  const least = Math.ceil(Math.min(one.length, other.length) / 2)
  const heads = [one, other].map((text) => text.slice(0, least))
  return one.includes(heads[1] ?? '') || other.includes(heads[0] ?? '')
}

/** The subquestion of the candidate. If its number is invalid, the one that shares most words. */
function findSubquestion({ sub, claim }: FindingCandidate, { subquestions }: ResearchPlan): number {
  if (Number.isInteger(sub) && sub >= 0 && sub < subquestions.length) return sub
  const words = contentStems(tokensOf(claim))
  const shared = subquestions.map(({ question }) => words.intersection(contentStems(tokensOf(question))).size)
  return Math.max(0, shared.indexOf(Math.max(...shared)))
}

type IndexedPage = {
  readonly page: SourcePage
  /** Built on first use. */
  readonly index: () => TextIndex
  /** A cheap test: false if the page cannot contain the quote. */
  readonly mayHave: (quote: string) => boolean
}
type PageIndex = {
  readonly pages: readonly IndexedPage[]
  /** Language of the question, and therefore of the claims. */
  readonly language: string | null
}

function indexPages(pages: readonly SourcePage[], { subquestions }: ResearchPlan): PageIndex {
  const language = detectLanguage(subquestions.map(({ question }) => question).join('\n'), null)
  const shelved = pages.map((page): IndexedPage => {
    const made: { index?: TextIndex; lower?: string } = {}
    return {
      page,
      index: () => {
        made.index ??= indexText(page.text)
        return made.index
      },
      mayHave: (quote) => {
        made.lower ??= page.text.toLowerCase()
        const lower = made.lower
        const words = quote.toLowerCase().split(/[^\p{L}\p{N}]+/u)
        const longest = words.sort((one, other) => other.length - one.length).slice(0, 4)
        return longest.filter((word) => lower.includes(word)).length >= Math.ceil(longest.length / 2)
      },
    }
  })
  return { pages: shelved, language }
}
