// Findings without a model: the sentences of the pages that match the sub-questions best, as they stand.

import { splitSentences } from '../reading/sentences.ts'
import type { FindingCandidate, ResearchPlan, SourcePage } from '../types.ts'
import { bm25Scores, countSharedTerms, termsOf } from './bm25.ts'
import { roundRobin, selectPassages } from './passages.ts'
import { oneLine } from './text-lines.ts'

const SENTENCE_LEAST = 40
const SENTENCE_MOST = 300
const WORDS_LEAST = 5
/** A page of which no sentence shares this many words is quoted by what shares one, and less of it. */
const SHARED_MIN = 2
const PER_WEAK_PAGE = 2
/** Of a page, what is worth looking at sentence by sentence. */
const PAGE_CHARACTERS = 20_000

/** At most `perPage` of each page, an even share for each sub-question; none of a page that has nothing to do with them. */
export function quoteFindings(
  plan: ResearchPlan,
  question: string,
  pages: readonly SourcePage[],
  { perPage }: { perPage: number },
): FindingCandidate[] {
  const asked = plan.subquestions.map((sub) => termsOf(sub.question))
  return pages.flatMap(({ n, text }) => {
    const shown = selectPassages(text, plan, { charactersMax: PAGE_CHARACTERS, question })
    const sentences = [...new Set(splitPageSentences(shown).map(withoutBullet).filter(isQuotable))]
    const good = [...rankSentences(sentences, asked, SHARED_MIN)].slice(0, perPage)
    const best = good.length > 0 ? good : [...rankSentences(sentences, asked, 1)].slice(0, PER_WEAK_PAGE)
    return best.map(([quote, sub]) => ({ n, sub, claim: oneLine(quote), quote, kind: kindOfSentence(quote) }))
  })
}

/** Sentences and the sub-question that each is for, the best of each sub-question first. */
function rankSentences(
  sentences: readonly string[],
  asked: readonly ReadonlySet<string>[],
  sharedLeast: number,
): Map<string, number> {
  const scores = bm25Scores(sentences, asked)
  const candidates = asked.map((terms, sub) => {
    const least = Math.min(sharedLeast, Math.max(1, terms.size))
    return sentences
      .map((sentence, at) => ({ sentence, sub, score: scores[sub]?.[at] ?? 0, at }))
      .filter(({ sentence, score }) => score > 0 && countSharedTerms(terms, sentence) >= least)
      .sort((one, other) => other.score - one.score || one.at - other.at)
  })
  const best = new Map<string, number>()
  for (const { sentence, sub } of roundRobin(candidates)) if (!best.has(sentence)) best.set(sentence, sub)
  return best
}

const withoutBullet = (sentence: string): string => sentence.replace(/^(?:[-*•>]|\d{1,3}[.)])\s+/, '')

/** A sentence that can stand by itself: no heading, no row of a table, no scrap, no question. */
function isQuotable(sentence: string): boolean {
  if (sentence.length < SENTENCE_LEAST || sentence.length > SENTENCE_MOST) return false
  if (/^#|\s\|\s|^\[…\]|[?؟？:]$/.test(sentence)) return false
  const isSpaced = /[^\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{20}/.test(sentence)
  return !isSpaced || sentence.split(/\s+/).length >= WORDS_LEAST
}

const kindOfSentence = (sentence: string): FindingCandidate['kind'] =>
  /\d/.test(sentence) ? 'number' : 'fact'

/** A line that ends before this was not broken for want of room. */
const SHORT_LINE = 45
/** What begins something of its own: a heading, an item of a list, a row of a table, a quotation. */
const NEW_BLOCK = /^\s*(?:#{1,6} |[-*•>] |\d{1,3}[.)] |\|)/

/** Each a piece of the text, verbatim; a line break inside counts as a space does. */
export const splitPageSentences = (text: string): string[] =>
  joinWrappedLines(text).flatMap((block) =>
    splitSentences(block).map(({ start, end }) => block.slice(start, end)),
  )

/** Lines that were broken only for want of room, together again. */
function joinWrappedLines(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '' || NEW_BLOCK.test(line)) flush()
    if (line.trim() === '') continue
    lines.push(line)
    if (line.length < SHORT_LINE || line.startsWith('#')) flush()
  }
  flush()
  return blocks
}
