// Finds candidates without a model: verbatim sentences that match the subquestions best.

import { splitSentences } from '../reading/sentences.ts'
import type { FindingCandidate, ResearchPlan, SourcePage } from '../types.ts'
import { bm25Scores, countSharedTerms, termsOf } from './bm25.ts'
import { roundRobin, selectPassages } from './passages.ts'
import { oneLine } from './text-lines.ts'

const SENTENCE_LEAST = 40
const SENTENCE_MOST = 300
const WORDS_LEAST = 5
/** If no sentence of a page shares this many words, sentences that share one are used, but fewer. */
const SHARED_MIN = 2
const PER_WEAK_PAGE = 2
/** Characters of a page that are split into sentences. */
const PAGE_CHARACTERS = 20_000

/** At most `perPage` sentences of each page, in equal shares for each subquestion; none of an unrelated page. */
export function quoteFindings(
  plan: ResearchPlan,
  question: string,
  pages: readonly SourcePage[],
  { perPage }: { perPage: number },
): FindingCandidate[] {
  const subTerms = plan.subquestions.map((sub) => termsOf(sub.question))
  return pages.flatMap(({ n, text }) => {
    const shown = selectPassages(text, plan, { charactersMax: PAGE_CHARACTERS, question })
    const sentences = [...new Set(splitPageSentences(shown).map(withoutBullet).filter(isQuotable))]
    const good = [...rankSentences(sentences, subTerms, SHARED_MIN)].slice(0, perPage)
    const best = good.length > 0 ? good : [...rankSentences(sentences, subTerms, 1)].slice(0, PER_WEAK_PAGE)
    return best.map(([quote, sub]) => ({ n, sub, claim: oneLine(quote), quote, kind: kindOfSentence(quote) }))
  })
}

/** Sentences with their subquestion, best first. */
function rankSentences(
  sentences: readonly string[],
  subTerms: readonly ReadonlySet<string>[],
  sharedLeast: number,
): Map<string, number> {
  const scores = bm25Scores(sentences, subTerms)
  const candidates = subTerms.map((terms, sub) => {
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

/** A sentence that is clear by itself: not a heading, a table row, a fragment or a question. */
function isQuotable(sentence: string): boolean {
  if (sentence.length < SENTENCE_LEAST || sentence.length > SENTENCE_MOST) return false
  if (/^#|\s\|\s|^\[…\]|[?؟？:]$/.test(sentence)) return false
  const isSpaced = /[^\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{20}/.test(sentence)
  return !isSpaced || sentence.split(/\s+/).length >= WORDS_LEAST
}

const kindOfSentence = (sentence: string): FindingCandidate['kind'] =>
  /\d/.test(sentence) ? 'number' : 'fact'

/** A shorter line was not wrapped. */
const SHORT_LINE = 45
/** Starts a new block: a heading, a list item, a table row or a quotation. */
const NEW_BLOCK = /^\s*(?:#{1,6} |[-*•>] |\d{1,3}[.)] |\|)/

/** The sentences of a page, verbatim. A line break inside counts as a space. */
export const splitPageSentences = (text: string): string[] =>
  joinWrappedLines(text).flatMap((block) =>
    splitSentences(block).map(({ start, end }) => block.slice(start, end)),
  )

/** Joins wrapped lines. */
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
