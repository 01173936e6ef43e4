// What a model says it found becomes a finding only when the page says so: the quotation stands there, and the claim says
// no more than the passage around it.
import type { Finding, Page, Plan, SaidFinding } from '../terms.ts'
import { objectionTo } from './claims.ts'
import { indexOf, isQuotable, locateQuote, type TextIndex } from './quotes.ts'
import type { Span } from './sentences.ts'
import { surroundingsOf } from './surroundings.ts'
import { tokensOf } from './tokens.ts'
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
  const shelf = shelfOf(pages)
  const findings = known.slice()
  const dropped: Dropped[] = []
  for (const one of said) {
    const found = findIn(shelf, one)
    if (typeof found === 'string') {
      dropped.push({ said: one, reason: found })
      continue
    }
    const at = findings.findIndex((finding) => isSame(finding, found))
    const twin = findings[at]
    const isFull = findings.length >= perRunMax
    if (twin) {
      const sources = Array.from(new Set([...twin.sources, ...found.sources]))
      if (sources.length === twin.sources.length) dropped.push({ said: one, reason: 'duplicate' })
      findings[at] = sources.length === twin.sources.length ? twin : { ...twin, sources }
    } else if (isFull) dropped.push({ said: one, reason: 'limit' })
    else findings.push({ ...found, id: `F${nextNumber(findings)}`, sub: subOf(one, plan), kind: one.kind })
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
  const claim = said.claim.replace(/\s+/g, ' ').trim()
  if (claim.length < CLAIM_MIN || !isQuotable(said.quote)) return 'too_short'
  if (claim.length > CLAIM_MAX) return 'claim_not_supported'
  const named = shelf.find(({ page }) => page.n === said.n)
  const others = shelf.filter((each) => each !== named && each.mayHave(said.quote))
  const places = [...(named ? [named] : []), ...others].flatMap((each) => {
    const span = locateQuote(each.index(), said.quote)
    return span ? [{ page: each.page, span }] : []
  })
  if (places.length === 0) return named ? 'quote_not_found' : 'bad_source'
  const first = places.find((place) => isBorneOut(claim, place))
  if (!first) return 'claim_not_supported'
  const quote = first.page.text.slice(first.span.start, first.span.end)
  const also = places.filter((place) => place !== first && saysTheSame(claim, quote, place.page))
  return { claim, quote, sources: [first, ...also].map(({ page }) => page.n) }
}

type Place = { readonly page: Page; readonly span: Span }

function isBorneOut(claim: string, { page, span }: Place): boolean {
  const { paragraph, sentences, heading } = surroundingsOf(page.text, span)
  const evidence = {
    text: paragraph,
    said: sentences,
    aside: [page.title, heading, page.text.slice(0, LEAD)].join('\n'),
  }
  return objectionTo(claim, evidence, { sharedMin: SHARED_MIN }) === null
}

/** Another page counts as a source when it has the very words, and they mean the same there. */
function saysTheSame(claim: string, quote: string, page: Page): boolean {
  const start = page.text.indexOf(quote)
  return start >= 0 && isBorneOut(claim, { page, span: { start, end: start + quote.length } })
}

function isSame(finding: Finding, found: Found): boolean {
  const [one, other] = [plain(finding.quote), plain(found.quote)]
  if (one === other) return true
  return (
    plain(finding.claim) === plain(found.claim) &&
    (one.includes(other) || other.includes(one) || isLapped(one, other))
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
type Shelf = readonly Shelved[]

function shelfOf(pages: readonly Page[]): Shelf {
  return pages.map((page) => {
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
}
