// The prompt that extracts findings from pages, and the parser of its answer. Findings are candidates until their
// quotes are checked.

import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import {
  FINDING_KINDS,
  type FindingCandidate,
  type FindingKind,
  type ResearchPlan,
  type SourcePage,
} from '../types.ts'
import { fenceMaterial, fitsTokens, materialRule, numberSubquestions, toMessages } from './material.ts'
import { parseItems, parseWholeNumber, readField } from './parse-answer.ts'
import { createPassagePicker } from './passages.ts'
import { cutAtWord, oneLine, toLine } from './text-lines.ts'

const FINDINGS_MAX = 40
const CLAIM_MAX = 500
const QUOTE_TARGET = 300
/** Quotes slightly over the requested length are still checked. */
const QUOTE_MAX = 400
const TITLE_MAX = 120

type ExtractPromptInput = {
  readonly question: string
  readonly plan: ResearchPlan
  readonly pages: readonly SourcePage[]
  readonly tokensMax: number
}

/** Characters per page, largest first. */
const PAGE_CHARACTERS = [6_000, 4_500, 3_000, 2_000, 1_200, 700, 400, 200]
const SHORT_QUESTION = 300
const SHORT_PART = 80

/** If the pages do not fit, they are shortened; if that is not enough, the last ones are left out. */
export function extractMessages(nonce: Nonce, input: ExtractPromptInput): Message[] {
  const { question, plan, pages, tokensMax } = input
  const system = systemPrompt(nonce)
  const pickers = pages.map((page) => createPassagePicker(page.text, plan, question))
  const fences = (count: number, characters: number) =>
    pages.slice(0, count).map(({ n, title }, at) => {
      const text = pickers[at]?.(characters) ?? ''
      return fenceMaterial(nonce, 'page', text, { n, title: oneLine(cutAtWord(title, TITLE_MAX)) })
    })
  const task = [
    fenceMaterial(nonce, 'question', question),
    fenceMaterial(nonce, 'subquestions', numberSubquestions(plan)),
  ]
  for (const characters of PAGE_CHARACTERS) {
    const messages = toMessages(system, [...task, ...fences(pages.length, characters)])
    if (fitsTokens(messages, tokensMax)) return messages
  }
  const short = [
    fenceMaterial(nonce, 'question', cutAtWord(question, SHORT_QUESTION)),
    fenceMaterial(nonce, 'subquestions', numberSubquestions(plan, SHORT_PART)),
  ]
  for (let count = pages.length; count > 0; count--) {
    const messages = toMessages(system, [...short, ...fences(count, PAGE_CHARACTERS.at(-1) ?? 0)])
    if (fitsTokens(messages, tokensMax)) return messages
  }
  return toMessages(system, short)
}

function systemPrompt(nonce: Nonce): string {
  return `You collect evidence for a research question from web pages.
${materialRule(nonce)}

List what the pages say that helps to answer one of the numbered sub-questions: facts, figures with unit and date, definitions, opinions with whose they are; also what contradicts another page. At most ${FINDINGS_MAX}, the most useful first. Of each finding:
- "n": the number of the page, as shown
- "sub": the number of the sub-question
- "claim": what it says, in one sentence that is clear by itself, in the language of the question, with no name, number or certainty that the quote does not have
- "quote": the words of the page that state it, copied verbatim from one place, at most ${QUOTE_TARGET} characters. No quote, no finding.
- "kind": "fact", "number", "definition" or "opinion"

Answer with one JSON object and nothing else; {"findings": []} if there is nothing:
{"findings": [{"n": 3, "sub": 1, "claim": "…", "quote": "…", "kind": "fact"}]}`
}

/**
 * Null if nothing can be parsed. Empty if the answer has no findings, or only findings of pages that were not shown.
 */
export function parseFindings(
  text: string,
  { pages, subs }: { pages: ReadonlySet<number>; subs: number },
): FindingCandidate[] | null {
  const candidates = parseItems(text, ['findings', 'results', 'evidence'], parseFinding)
  if (!candidates) return null
  return candidates
    .map((finding) => (subs === 1 ? { ...finding, sub: 0 } : finding))
    .filter(({ n, sub }) => pages.has(n) && sub >= 0 && sub < subs)
    .slice(0, FINDINGS_MAX)
}

/** A missing claim is replaced by the quote. */
function parseFinding(value: unknown): FindingCandidate | null {
  const n = parseWholeNumber(readField(value, ['n', 'page', 'pagenumber', 'source', 'sourcen']))
  const quote = withoutQuotes(toLine(readField(value, ['quote', 'quotation', 'verbatim']), QUOTE_MAX))
  if (n === null || quote === '') return null
  const claim = toLine(readField(value, ['claim', 'finding', 'statement', 'text']), CLAIM_MAX) || quote
  const sub = parseWholeNumber(readField(value, ['sub', 'subquestion', 'subq', 'question'])) ?? 0
  return { n, sub: sub - 1, claim, quote, kind: parseKind(readField(value, ['kind', 'type'])) }
}

function parseKind(value: unknown): FindingKind {
  const name = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return FINDING_KINDS.find((kind) => name.startsWith(kind)) ?? 'fact'
}

const withoutQuotes = (text: string): string =>
  /^["“«].*["”»]$/.test(text) && text.length > 2 ? text.slice(1, -1).trim() : text
