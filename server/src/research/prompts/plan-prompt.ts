// The plan prompt: splits the question into subquestions with search queries.

import type { Nonce } from '../../agent/agent.ts'
import { stripMarkdown } from '../../kernel/plain-markdown.ts'
import { findJsonValues } from '../../platform/inference/completion/json-values.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { writerIn } from '../../platform/texts/texts.ts'
import { questionLanguage } from '../report/question-language.ts'
import type { ResearchPlan, SubQuestion } from '../types.ts'
import { listKeywords } from './bm25.ts'
import { fenceMaterial, materialRule, toMessages } from './material.ts'
import {
  parseItems,
  readField,
  toComparisonKey,
  withoutDuplicates,
  withoutReasoning,
} from './parse-answer.ts'
import { toLine } from './text-lines.ts'

/** `queriesMax`: per subquestion. */
type PlanLimits = { readonly subquestionsMax: number; readonly queriesMax: number }
type PlanPromptInput = PlanLimits & { readonly question: string; readonly askedOn: string }

export const QUESTION_MAX = 300
export const QUERY_MAX = 200

export function planMessages(nonce: Nonce, input: PlanPromptInput): Message[] {
  const { question, askedOn, subquestionsMax, queriesMax } = input
  const system = `You plan web research. Today is ${askedOn}.
${materialRule(nonce)}

Split the question into at most ${subquestionsMax} sub-questions that together answer it, the most important first; fewer if fewer do. Each must be clear without the others and name its subject. For each give 1 to ${queriesMax} web search queries: a few key words each, different from one another, in the language the best sources are written in, with a year where it matters.

Answer with one JSON object and nothing else:
{"subquestions": [{"question": "…", "queries": ["…"]}]}`
  return toMessages(system, [fenceMaterial(nonce, 'question', question)])
}

/** Null if the answer has no subquestion. */
export function parsePlan(text: string, limits: PlanLimits): ResearchPlan | null {
  const parsed =
    parseItems(text, ['subquestions', 'questions'], parseSubquestion) ??
    parseUnnamedList(text) ??
    parseTextList(text)
  const parts = limitPlan(parsed ?? [], limits)
  return parts.length === 0 ? null : { subquestions: parts }
}

/** The plan without a model: the question as its only subquestion, with a few queries. */
export function fallbackPlan(question: string, queriesMax: number): ResearchPlan {
  const whole = toLine(question, QUESTION_MAX)
  return {
    subquestions: [{ question: whole, queries: suggestQueries(question).slice(0, Math.max(1, queriesMax)) }],
  }
}

const KEYWORDS_MAX = 10
const ASPECTS = [
  'overview',
  'facts and figures',
  'comparison',
  'evidence',
  'latest',
  'explained',
  'problems',
] as const

/** The question, its keywords, and its keywords with added aspects in its language; distinct and in a fixed order. */
export function suggestQueries(question: string): string[] {
  const whole = toLine(question, QUERY_MAX)
  const keywords = listKeywords(question, KEYWORDS_MAX).join(' ')
  const about = keywords === '' ? whole : keywords
  const t = writerIn(questionLanguage(question) ?? 'en')
  const queries = [whole, keywords, ...ASPECTS.map((aspect) => `${about} ${t(aspect)}`)]
  return withoutDuplicates(
    queries.map((query) => toLine(query, QUERY_MAX)),
    (query) => query,
  )
}

function parseSubquestion(value: unknown, isNamed: boolean): SubQuestion | null {
  if (typeof value === 'string') return isNamed ? { question: value, queries: [] } : null
  const question = readField(value, ['question', 'subquestion', 'q', 'text', 'title'])
  if (typeof question !== 'string') return null
  return {
    question,
    queries: readTexts(readField(value, ['queries', 'query', 'searchqueries', 'searches', 'search'])),
  }
}

const readTexts = (value: unknown): string[] =>
  [value].flat().flatMap((each) => {
    const text = typeof each === 'string' ? each : readField(each, ['query', 'text', 'q'])
    return typeof text === 'string' ? [text] : []
  })

/** From an unnamed list only the questions, because it may be a list of queries. */
function parseUnnamedList(text: string): SubQuestion[] | null {
  const questions = findJsonValues(withoutReasoning(text))
    .filter(Array.isArray)
    .map((list) => readTexts(list).filter((each) => isQuestion(each)))
  return questions.findLast((list) => list.length > 0)?.map((question) => ({ question, queries: [] })) ?? null
}

const LIST_ITEM = /^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+(\S.*)$/

/** Questions in a plain-text list. List items below a question that are not questions are its queries. */
function parseTextList(text: string): SubQuestion[] {
  const parts: { question: string; queries: string[] }[] = []
  for (const line of withoutReasoning(text).split('\n')) {
    const item = LIST_ITEM.exec(line.slice(0, 1_000))?.[1]
    if (item === undefined) continue
    const listed = stripMarkdown(item).trim()
    if (isQuestion(listed)) parts.push({ question: listed, queries: [] })
    else
      parts
        .at(-1)
        ?.queries.push(listed.replace(/^(?:search|query|queries)\b[ :\d]*/i, '').replaceAll(/["“”]/g, ''))
  }
  return parts
}

const isQuestion = (text: string): boolean => /[?？؟]["'”)]?$/.test(text.trimEnd())

/** Removes duplicate questions and queries. A question without queries is searched by its own words. */
function limitPlan(
  parts: readonly SubQuestion[],
  { subquestionsMax, queriesMax }: PlanLimits,
): SubQuestion[] {
  const lines = parts.map(({ question, queries }) => ({ question: toLine(question, QUESTION_MAX), queries }))
  const used = new Set<string>()
  return withoutDuplicates(lines, ({ question }) => question)
    .slice(0, subquestionsMax)
    .map(({ question, queries }) => {
      const lines = queries.slice(0, 50).map((query) => toLine(query, QUERY_MAX))
      const fresh = withoutDuplicates(lines, (query) => query, used).slice(0, Math.max(1, queriesMax))
      if (fresh.length > 0) return { question, queries: fresh }
      const own =
        suggestQueries(question).find((query) => !used.has(toComparisonKey(query))) ??
        toLine(question, QUERY_MAX)
      used.add(toComparisonKey(own))
      return { question, queries: [own] }
    })
}
