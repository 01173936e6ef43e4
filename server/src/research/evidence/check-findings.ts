// What a model says it found becomes a finding only when the page says so: the quotation stands there, and the claim says
// no more than the passage around it.

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
export type DroppedFinding = { readonly said: FindingCandidate; readonly reason: DropReason }

export type FindingCheckResult = {
  /** New findings; their ids go on from those that are known. */
  readonly added: ResearchFinding[]
  /** Known findings that more sources turned out to say, as they are now. */
  readonly merged: ResearchFinding[]
  readonly dropped: DroppedFinding[]
}

type FindingCheckLimits = { readonly plan: ResearchPlan; readonly perRunMax: number }

const CLAIM_MIN = 12
const CLAIM_MAX = 500
/** What a page is about is often named once, where it begins. */
const LEAD_CHARACTERS = 400
/** A claim shares two words or numbers, or all it has, with the sentences that it rests on. */
const SHARED_MIN = 2

/**
 * Checks findings one after the other. A quotation that stands on another page than the one named is attributed to
 * that; one that stands on several pages names them all. What repeats a finding only adds its sources to it.
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
      dropped.push({ said: one, reason: found })
      continue
    }
    const shape = toFindingKey(found)
    const at = shapes.findIndex((each) => isSameFinding(each, shape))
    const twin = findings[at]
    const isFull = findings.length >= perRunMax
    if (twin) {
      const sources = Array.from(new Set([...twin.sources, ...found.sources]))
      if (sources.length === twin.sources.length) dropped.push({ said: one, reason: 'duplicate' })
      findings[at] = sources.length === twin.sources.length ? twin : { ...twin, sources }
    } else if (isFull) dropped.push({ said: one, reason: 'limit' })
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

/** A claim that cannot be compared with its page, or says more than it, gives way to what the page says. */
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

// Findings are said in words. What brings addresses, pictures, markup or citations of its own repeats an order of the page.
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

/** Other pages count as sources when they have the very words, and they mean the same there. */
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

/** Claim and quotation as they are compared. */
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

/** Whether one ends with what the other begins with, for at least half of the shorter. */
function overlaps(one: string, other: string): boolean {
  const least = Math.ceil(Math.min(one.length, other.length) / 2)
  const heads = [one, other].map((text) => text.slice(0, least))
  return one.includes(heads[1] ?? '') || other.includes(heads[0] ?? '')
}

/** The part of the question it was said for; when there is no such part, the one that it has most words of. */
function findSubquestion({ sub, claim }: FindingCandidate, { subquestions }: ResearchPlan): number {
  if (Number.isInteger(sub) && sub >= 0 && sub < subquestions.length) return sub
  const words = contentStems(tokensOf(claim))
  const shared = subquestions.map(({ question }) => words.intersection(contentStems(tokensOf(question))).size)
  return Math.max(0, shared.indexOf(Math.max(...shared)))
}

type IndexedPage = {
  readonly page: SourcePage
  /** Made when it is first needed. */
  readonly index: () => TextIndex
  /** Cheap: false when the page cannot have the quotation. */
  readonly mayHave: (quote: string) => boolean
}
type PageIndex = {
  readonly pages: readonly IndexedPage[]
  /** Of the question, and so of the claims. */
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
