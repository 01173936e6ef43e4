// Selects the passages of a long page that matter for the plan. Prompt tokens cost money, and most of a page is
// irrelevant.
import type { ResearchPlan } from '../types.ts'
import { bm25Scores, termsOf } from './bm25.ts'
import { cutAtWord, isHighSurrogate } from './text-lines.ts'

const OMISSION = '\n\n[…]\n\n'
const PASSAGE_MIN = 250
const PASSAGE_MAX = 900
/** A smaller rest of the budget is not used. */
const ROOM_MIN = 40
/** Weight of the whole question beside one subquestion. */
const QUESTION_WEIGHT = 0.4

/**
 * Selects at most `charactersMax` characters, verbatim and in text order, with `[…]` for omissions. Returns the whole
 * text if it fits. Each subquestion gets its share.
 */
export function selectPassages(
  text: string,
  plan: ResearchPlan,
  { charactersMax, question = '' }: { charactersMax: number; question?: string },
): string {
  return createPassagePicker(text, plan, question)(charactersMax)
}

/** Analyses the text once, and then selects passages for different lengths. */
export function createPassagePicker(
  text: string,
  plan: ResearchPlan,
  question: string,
): (charactersMax: number) => string {
  const whole = text.trim()
  let ranked: RankedPassages | undefined
  return (charactersMax) => {
    if (whole.length <= charactersMax) return whole
    ranked ??= rankPassages(whole, plan, question)
    return pickPassages(whole, ranked, charactersMax)
  }
}

type PassageSpan = { readonly start: number; readonly end: number }
/** `orders`: for each subquestion the indexes of matching passages, best first. */
type RankedPassages = {
  readonly pieces: readonly PassageSpan[]
  readonly orders: readonly (readonly number[])[]
}

function rankPassages(text: string, plan: ResearchPlan, question: string): RankedPassages {
  const pieces = splitPassages(text)
  const subTerms = plan.subquestions.map((sub) => termsOf([sub.question, ...sub.queries].join(' ')))
  const scores = bm25Scores(
    pieces.map(({ start, end }) => text.slice(start, end)),
    [...subTerms, termsOf(question)],
  )
  const general = scores.at(-1)
  const orders = subTerms.map((_, sub) => {
    const own = scores[sub]
    const scoreOf = (at: number) => (own?.[at] ?? 0) + QUESTION_WEIGHT * (general?.[at] ?? 0)
    const matching = pieces.map((_piece, at) => at).filter((at) => scoreOf(at) > 0)
    return matching.sort((one, other) => scoreOf(other) - scoreOf(one) || one - other)
  })
  const isUnrelated = orders.every((order) => order.length === 0)
  // A page without matches is shown from its start: it may be in another language.
  return { pieces, orders: isUnrelated ? [pieces.map((_, at) => at)] : orders }
}

function pickPassages(text: string, { pieces, orders }: RankedPassages, charactersMax: number): string {
  const chosen = new Set<number>()
  let left = charactersMax
  for (const at of roundRobin(orders)) {
    if (left < ROOM_MIN) break
    const { start, end } = pieces[at] ?? { start: 0, end: 0 }
    if (end - start + OMISSION.length > left) continue
    chosen.add(at)
    left -= end - start + OMISSION.length
  }
  if (chosen.size > 0) return joinPassages(text, pieces, chosen)
  const { start = 0 } = pieces[orders.find((order) => order.length > 0)?.[0] ?? 0] ?? {}
  return cutAtWord(text.slice(start), charactersMax)
}

/** Joins adjacent passages directly, and others with the omission mark. */
function joinPassages(text: string, pieces: readonly PassageSpan[], chosen: ReadonlySet<number>): string {
  const shown: string[] = []
  let from = -1
  pieces.forEach(({ start, end }, at) => {
    if (!chosen.has(at)) return
    if (from === -1) from = start
    if (chosen.has(at + 1)) return
    shown.push(text.slice(from, end).trim())
    from = -1
  })
  return shown.join(OMISSION)
}

/**
 * Splits at paragraphs. Short paragraphs are joined, headings stay with their text, and long paragraphs are split at
 * lines or sentences.
 */
function splitPassages(text: string): PassageSpan[] {
  const pieces: PassageSpan[] = []
  let open: PassageSpan | undefined
  for (const block of splitParagraphs(text)) {
    const isHeading = text[block.start] === '#'
    if (open && (isHeading || open.end - open.start >= PASSAGE_MIN)) {
      pieces.push(...splitLongPassage(text, open))
      open = undefined
    }
    open = { start: open?.start ?? block.start, end: block.end }
  }
  if (open) pieces.push(...splitLongPassage(text, open))
  return pieces
}

function splitParagraphs(text: string): PassageSpan[] {
  const blocks: PassageSpan[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n\n', start)
    const end = found === -1 ? text.length : found
    if (end > start) blocks.push({ start, end })
    start = end + 2
  }
  return blocks
}

function splitLongPassage(text: string, { start, end }: PassageSpan): PassageSpan[] {
  const parts: PassageSpan[] = []
  let from = start
  while (end - from > PASSAGE_MAX) {
    const to = findBreak(text, from + PASSAGE_MIN, from + PASSAGE_MAX)
    parts.push({ start: from, end: to })
    from = to
  }
  parts.push({ start: from, end })
  return parts
}

/** The last break in the range: a line, a sentence, a word, or between two letters. */
function findBreak(text: string, least: number, most: number): number {
  const range = text.slice(least, most)
  for (const mark of ['\n', '. ', '。', ' ']) {
    const at = range.lastIndexOf(mark)
    if (at !== -1) return least + at + mark.length
  }
  return isHighSurrogate(text, most - 1) ? most - 1 : most
}

/** The first item of each list, then the second of each, and so on, without duplicates. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): Set<T> {
  const all = new Set<T>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++)
    for (const list of lists) {
      const item = list[place]
      if (item !== undefined) all.add(item)
    }
  return all
}
