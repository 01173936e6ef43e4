// What a model says it found becomes a finding only when the page says so: the quotation stands there, and the claim says
// no more than the passage around it.

import { HTML_TAG } from '../../kernel/plain-markdown.ts'
import { languageOf } from '../reading/language.ts'
import type { Span } from '../sentences.ts'
import type { Finding, Page, Plan, SaidFinding } from '../terms.ts'
import { type Objection, objectionTo } from './claims.ts'
import { indexOf, isQuotable, locateQuote, type TextIndex } from './quotes.ts'
import { surroundingsOf } from './surroundings.ts'
import { tokensOf, type Words, wordsOf } from './tokens.ts'
import { contentOf } from './words.ts'

export type DropReason =
  | 'quote_not_found'
  | 'claim_not_supported'
  | 'too_short'
  | 'duplicate'
  | 'bad_source'
  | 'limit'
export type Dropped = { readonly said: SaidFinding; readonly reason: DropReason }

export type Gated = {
  /** New findings; their ids go on from those that are known. */
  readonly added: Finding[]
  /** Known findings that more sources turned out to say, as they are now. */
  readonly merged: Finding[]
  readonly dropped: Dropped[]
}

type Limits = { readonly plan: Plan; readonly perRunMax: number }

const CLAIM_MIN = 12
const CLAIM_MAX = 500
/** What a page is about is often named once, where it begins. */
const LEAD = 400
/** A claim shares two words or numbers, or all it has, with the sentences that it rests on. */
const SHARED_MIN = 2

/**
 * Checks findings one after the other. A quotation that stands on another page than the one named is attributed to
 * that; one that stands on several pages names them all. What repeats a finding only adds its sources to it.
 */
export function gateFindings(
  said: readonly SaidFinding[],
  pages: readonly Page[],
  known: readonly Finding[],
  { plan, perRunMax }: Limits,
): Gated {
  const shelf = shelfOf(pages, plan)
  const findings = known.slice()
  const shapes = findings.map(shapeOf)
  const dropped: Dropped[] = []
  for (const one of said) {
    const found = findIn(shelf, one)
    if (typeof found === 'string') {
      dropped.push({ said: one, reason: found })
      continue
    }
    const shape = shapeOf(found)
    const at = shapes.findIndex((each) => isSame(each, shape))
    const twin = findings[at]
    const isFull = findings.length >= perRunMax
    if (twin) {
      const sources = Array.from(new Set([...twin.sources, ...found.sources]))
      if (sources.length === twin.sources.length) dropped.push({ said: one, reason: 'duplicate' })
      findings[at] = sources.length === twin.sources.length ? twin : { ...twin, sources }
    } else if (isFull) dropped.push({ said: one, reason: 'limit' })
    else {
      findings.push({ ...found, id: `F${nextNumber(findings)}`, sub: subOf(one, plan), kind: one.kind })
      shapes.push(shape)
    }
  }
  return {
    added: findings.slice(known.length),
    merged: findings.slice(0, known.length).filter((finding, at) => finding !== known[at]),
    dropped,
  }
}

const nextNumber = (findings: readonly Finding[]): number =>
  findings.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), 0) + 1

type Found = Pick<Finding, 'claim' | 'quote' | 'sources'>

function findIn(shelf: Shelf, said: SaidFinding): Found | DropReason {
  const claim = oneLine(said.claim)
  if (claim.length < CLAIM_MIN || !isQuotable(said.quote)) return 'too_short'
  if (!isClaim(claim)) return 'claim_not_supported'
  const named = shelf.pages.find(({ page }) => page.n === said.n)
  const others = shelf.pages.filter((each) => each !== named)
  const first = named && placeOn(named, said.quote)
  const words = wordsOf(claim)
  if (first && objectionAt(shelf, words, first) === null) return foundAt(shelf, words, first, others)
  const further = others.flatMap((each) =>
    each.mayHave(said.quote) ? (placeOn(each, said.quote) ?? []) : [],
  )
  const places = [...(first ? [first] : []), ...further]
  if (places.length === 0) return named ? 'quote_not_found' : 'bad_source'
  return borneOutBy(shelf, words, places)
}

/** A claim that cannot be compared with its page, or says more than it, gives way to what the page says. */
function borneOutBy(shelf: Shelf, claim: Words, places: readonly Place[]): Found | DropReason {
  const objections = places.map((place) => ({ place, objection: objectionAt(shelf, claim, place) }))
  const rest = ({ page }: Place) => shelf.pages.filter((each) => each.page !== page)
  const good = objections.find(({ objection }) => objection === null)
  if (good) return foundAt(shelf, claim, good.place, rest(good.place))
  const excessive = objections.find(({ objection }) => objection === 'script' || objection === 'addition')
  if (!excessive) return 'claim_not_supported'
  const { place } = excessive
  const quote = oneLine(quoteAt(place))
  return isClaim(quote) ? foundAt(shelf, wordsOf(quote), place, rest(place)) : 'claim_not_supported'
}

// Findings are said in words. What brings addresses, pictures, markup or citations of its own repeats an order of the page.
const NOT_PLAIN = /:\/\/|!\[|\[F\d|<[/!]/i
const isClaim = (text: string): boolean =>
  text.length <= CLAIM_MAX && !NOT_PLAIN.test(text) && text.search(HTML_TAG) === -1

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

type Place = { readonly page: Page; readonly span: Span }

const quoteAt = ({ page, span }: Place): string => page.text.slice(span.start, span.end)

function placeOn({ page, index }: Shelved, quote: string): Place | undefined {
  const span = locateQuote(index(), quote)
  return span ? { page, span } : undefined
}

/** Other pages count as sources when they have the very words, and they mean the same there. */
function foundAt(shelf: Shelf, claim: Words, place: Place, others: readonly Shelved[]): Found {
  const quote = quoteAt(place)
  const also = others.filter((each) => {
    const start = each.page.text.indexOf(quote)
    if (start < 0 || !placeOn(each, quote)) return false
    return objectionAt(shelf, claim, { page: each.page, span: { start, end: start + quote.length } }) === null
  })
  return {
    claim: claim.text,
    quote,
    sources: [place.page, ...also.map(({ page }) => page)].map(({ n }) => n),
  }
}

function objectionAt({ language }: Shelf, claim: Words, { page, span }: Place): Objection | null {
  const { paragraph, sentences, heading } = surroundingsOf(page.text, span)
  const itsLanguage = languageOf(paragraph, null)
  const evidence = {
    text: [wordsOf(paragraph)],
    said: [wordsOf(sentences)],
    aside: [wordsOf([page.title, heading, page.text.slice(0, LEAD)].join('\n'))],
    isForeign: language !== null && itsLanguage !== null && language !== itsLanguage,
  }
  return objectionTo(claim, evidence, { sharedMin: SHARED_MIN })
}

/** Claim and quotation as they are compared. */
type Shape = { readonly claim: string; readonly quote: string }

const shapeOf = ({ claim, quote }: Found): Shape => ({ claim: plain(claim), quote: plain(quote) })

function isSame(one: Shape, other: Shape): boolean {
  if (one.quote === other.quote) return true
  if (one.claim !== other.claim) return false
  return (
    one.quote.includes(other.quote) || other.quote.includes(one.quote) || isLapped(one.quote, other.quote)
  )
}

const plain = (text: string): string =>
  tokensOf(text)
    .map(({ norm }) => norm)
    .join(' ')

/** Whether one ends with what the other begins with, for at least half of the shorter. */
function isLapped(one: string, other: string): boolean {
  const least = Math.ceil(Math.min(one.length, other.length) / 2)
  const heads = [one, other].map((text) => text.slice(0, least))
  return one.includes(heads[1] ?? '') || other.includes(heads[0] ?? '')
}

/** The part of the question it was said for; when there is no such part, the one that it has most words of. */
function subOf({ sub, claim }: SaidFinding, { subquestions }: Plan): number {
  if (Number.isInteger(sub) && sub >= 0 && sub < subquestions.length) return sub
  const words = contentOf(tokensOf(claim))
  const shared = subquestions.map(({ question }) => words.intersection(contentOf(tokensOf(question))).size)
  return Math.max(0, shared.indexOf(Math.max(...shared)))
}

type Shelved = {
  readonly page: Page
  /** Made when it is first needed. */
  readonly index: () => TextIndex
  /** Cheap: false when the page cannot have the quotation. */
  readonly mayHave: (quote: string) => boolean
}
type Shelf = {
  readonly pages: readonly Shelved[]
  /** Of the question, and so of the claims. */
  readonly language: string | null
}

function shelfOf(pages: readonly Page[], { subquestions }: Plan): Shelf {
  const language = languageOf(subquestions.map(({ question }) => question).join('\n'), null)
  const shelved = pages.map((page): Shelved => {
    const made: { index?: TextIndex; lower?: string } = {}
    return {
      page,
      index: () => {
        made.index ??= indexOf(page.text)
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
