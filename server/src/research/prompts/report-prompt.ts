// The report prompt: shows findings by id, and nothing else that could be cited.

import type { Nonce } from '../../agent/agent.ts'
import type { Message, ModelAnswer } from '../../platform/inference/inference.ts'
import type { Language } from '../../platform/texts/language.ts'
import { writerIn } from '../../platform/texts/texts.ts'
import type { Depth, ResearchFinding, ResearchPlan } from '../types.ts'
import { fenceMaterial, fitsTokens, materialRule, numberSubquestions, toMessages } from './material.ts'
import { withoutReasoning } from './parse-answer.ts'
import { roundRobin } from './passages.ts'
import { cutAtWord, oneLine } from './text-lines.ts'

type ReportPromptInput = {
  readonly question: string
  readonly language: Language
  readonly askedOn: string
  readonly plan: ResearchPlan
  readonly findings: readonly ResearchFinding[]
  readonly conflicts: readonly string[]
  readonly depth: Depth
  readonly tokensMax: number
}

const WORDS: Readonly<Record<Depth, string>> = { quick: '300', standard: '700', exhaustive: '1500' }
const CLAIM_MAX = 400
const QUOTE_MAX = 240
const CONFLICTS_MAX = 20
const CONFLICT_CHARACTERS = 200
const SHORT_QUESTION = 300
const SHORT_PART = 80
const SHOWN_MIN = 20

/** How much each finding shows. */
type PromptDetail = 'quotes' | 'claims' | 'short'

/** `shown`: the ids that fit. All findings with quotes if possible, otherwise as many as fit without. */
export function reportMessages(
  nonce: Nonce,
  input: ReportPromptInput,
): { messages: Message[]; shown: string[] } {
  const order = sortByWorth(input.findings, input.plan)
  const all = buildPrompt(nonce, input, order, 'quotes')
  if (fitsTokens(all, input.tokensMax)) return { messages: all, shown: idsOf(order) }
  // A long question is shortened to leave room for findings.
  const detail = fitsTokens(buildPrompt(nonce, input, order.slice(0, SHOWN_MIN), 'claims'), input.tokensMax)
    ? 'claims'
    : 'short'
  let fits = 0
  let over = order.length + 1
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (fitsTokens(buildPrompt(nonce, input, order.slice(0, middle), detail), input.tokensMax)) fits = middle
    else over = middle
  }
  const chosen = order.slice(0, fits)
  return { messages: buildPrompt(nonce, input, chosen, detail), shown: idsOf(chosen) }
}

/** Subquestions take turns; findings with most sources come first. */
function sortByWorth(findings: readonly ResearchFinding[], plan: ResearchPlan): ResearchFinding[] {
  const groups = plan.subquestions.map((_, sub) =>
    findings
      .filter((finding) => finding.sub === sub)
      .sort((one, other) => other.sources.length - one.sources.length || numberOf(one) - numberOf(other)),
  )
  return [...roundRobin(groups)]
}

const numberOf = ({ id }: ResearchFinding): number => Number(id.slice(1))
const sortById = (findings: readonly ResearchFinding[]): ResearchFinding[] =>
  [...findings].sort((one, other) => numberOf(one) - numberOf(other))
const idsOf = (findings: readonly ResearchFinding[]): string[] => sortById(findings).map(({ id }) => id)

function buildPrompt(
  nonce: Nonce,
  input: ReportPromptInput,
  findings: readonly ResearchFinding[],
  detail: PromptDetail,
): Message[] {
  const { plan, conflicts } = input
  const isShort = detail === 'short'
  const groups = plan.subquestions.flatMap((_, sub) => {
    const lines = sortById(findings.filter((finding) => finding.sub === sub))
    if (lines.length === 0) return []
    const text = lines.map((finding) => findingLine(finding, detail)).join('\n')
    return [fenceMaterial(nonce, 'findings', text, { sub: sub + 1 })]
  })
  const disagreeing = conflicts
    .slice(0, CONFLICTS_MAX)
    .map((conflict) => `- ${withoutLinks(cutAtWord(conflict, CONFLICT_CHARACTERS))}`)
  return toMessages(systemPrompt(nonce, input), [
    fenceMaterial(nonce, 'question', isShort ? cutAtWord(input.question, SHORT_QUESTION) : input.question),
    fenceMaterial(nonce, 'subquestions', numberSubquestions(plan, isShort ? SHORT_PART : undefined)),
    ...groups,
    ...(disagreeing.length > 0 ? [fenceMaterial(nonce, 'conflicts', disagreeing.join('\n'))] : []),
  ])
}

function systemPrompt(nonce: Nonce, { askedOn, depth, language }: ReportPromptInput): string {
  const t = writerIn(language)
  return `You write the report of a research run. Today is ${askedOn}. All you know are the findings, each with its id.
${materialRule(nonce)}

- Every statement ends with the ids of the findings it rests on, before the full stop, such as [F3] or [F3][F7]. One without is deleted, and so is one with a number, name or certainty that its findings do not have.
- Only facts of the findings, in your own plain words; figures, units, dates and names unchanged. Say whose an opinion is. Where findings disagree, give both sides.
- Markdown. First "## ${t('Short answer')}" with 2 to 4 sentences, then a "##" heading for each sub-question that has findings. No title, no list of sources, no URLs, links, images, HTML or code.
- What the findings leave open is said plainly in a sentence that begins with "${t('Not established')}:".
- About ${WORDS[depth]} words, in the language of the question. The report and nothing else.`
}

/** Formats a finding as `F3 (number, 2 sources): claim`, with its quote below. */
export function findingLine(
  { id, kind, sources, claim, quote }: ResearchFinding,
  detail: PromptDetail,
): string {
  const count = sources.length === 1 ? '1 source' : `${sources.length} sources`
  const line = `${id} (${kind}, ${count}): ${withoutLinks(cutAtWord(claim, CLAIM_MAX))}`
  const isSame = oneLine(quote) === oneLine(claim)
  return detail === 'quotes' && !isSame ? `${line}\n  "${withoutLinks(cutAtWord(quote, QUOTE_MAX))}"` : line
}

/** One line, without URLs and without text that looks like our citation ids. */
const withoutLinks = (text: string): string =>
  oneLine(text)
    .replaceAll(/\b(?:https?|ftp):\/\/\S+/gi, '…')
    .replaceAll(/\[(?=F\d)/g, '(')

/** The complete part of the report; null if it has no citation. */
export function parseReport({ text, finish }: Pick<ModelAnswer, 'text' | 'finish'>): string | null {
  const spoken = withoutCodeFence(withoutReasoning(text).trim()).trim()
  const report = finish === 'stop' ? spoken : completePart(spoken)
  return /\[F\d{1,5}\b/.test(report) ? report : null
}

/** Some models put the whole report into a code block. */
function withoutCodeFence(text: string): string {
  const opening = /^(?:[^\n`]{0,200}\n\s*)?```(?:markdown|md|text)?[ \t]*\n/.exec(text)
  if (!opening) return text
  const rest = text.slice(opening[0].length)
  const closing = rest.lastIndexOf('\n```')
  return closing === -1 ? rest : rest.slice(0, closing)
}

const CITATIONS = String.raw`(?:[ ]?\[F\d{1,5}(?:, ?F\d{1,5}){0,9}\]){0,9}`
const SENTENCE_MARKS = '.!?。！？؟'
const CLOSING_MARKS = `"'”’)*_`
const SENTENCE_END = new RegExp(
  String.raw`[${SENTENCE_MARKS}][${CLOSING_MARKS}]{0,3}${CITATIONS}(?=\s|$)|\](?=\n)`,
  'g',
)

/** Up to the last complete sentence, or the last line that ends with a citation. */
function completePart(text: string): string {
  const ends = [...text.matchAll(SENTENCE_END)].filter(({ index, 0: end }) => {
    const isLast = index + end.length === text.length
    // "3." may be the start of "3.5".
    return !(isLast && /\d/.test(text[index - 1] ?? ''))
  })
  const last = ends.at(-1)
  return last ? text.slice(0, last.index + last[0].length) : ''
}
