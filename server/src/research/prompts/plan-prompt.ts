// The first question to a model: into which parts the customer's question falls, and what to search for each.

import type { Nonce } from '../../agent/agent.ts'
import { withoutMarks } from '../../kernel/plain-markdown.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { valuesIn } from '../../platform/inference/json-values.ts'
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

/** `queriesMax`: for each sub-question. */
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

/** Null when there is not a single sub-question in it. */
export function parsePlan(text: string, limits: PlanLimits): ResearchPlan | null {
  const parsed =
    parseItems(text, ['subquestions', 'questions'], parseSubquestion) ??
    parseUnnamedList(text) ??
    parseTextList(text)
  const parts = limitPlan(parsed ?? [], limits)
  return parts.length === 0 ? null : { subquestions: parts }
}

/** The question as its only part, asked in a few ways; for when no model could say better. */
export function fallbackPlan(question: string, queriesMax: number): ResearchPlan {
  const whole = toLine(question, QUESTION_MAX)
  return {
    subquestions: [{ question: whole, queries: suggestQueries(question).slice(0, Math.max(1, queriesMax)) }],
  }
}

const KEYWORDS_MAX = 10
const ASPECTS = ['overview', 'facts and figures', 'comparison', 'evidence', 'latest', 'explained', 'problems']

/** The question itself, its key words, and these with something added: each once, always in the same order. */
export function suggestQueries(question: string): string[] {
  const whole = toLine(question, QUERY_MAX)
  const keywords = listKeywords(question, KEYWORDS_MAX).join(' ')
  const about = keywords === '' ? whole : keywords
  const queries = [whole, keywords, ...ASPECTS.map((aspect) => `${about} ${aspect}`)]
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

/** A list of texts under no name: the questions among them, for it may be a list of queries. */
function parseUnnamedList(text: string): SubQuestion[] | null {
  const questions = valuesIn(withoutReasoning(text))
    .filter(Array.isArray)
    .map((list) => readTexts(list).filter((each) => isQuestion(each)))
  return questions.findLast((list) => list.length > 0)?.map((question) => ({ question, queries: [] })) ?? null
}

const LIST_ITEM = /^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+(\S.*)$/

/** Questions in a list without JSON; what is listed below one without being a question is a query. */
function parseTextList(text: string): SubQuestion[] {
  const parts: { question: string; queries: string[] }[] = []
  for (const line of withoutReasoning(text).split('\n')) {
    const item = LIST_ITEM.exec(line.slice(0, 1_000))?.[1]
    if (item === undefined) continue
    const listed = withoutMarks(item).trim()
    if (isQuestion(listed)) parts.push({ question: listed, queries: [] })
    else
      parts
        .at(-1)
        ?.queries.push(listed.replace(/^(?:search|query|queries)\b[ :\d]*/i, '').replaceAll(/["“”]/g, ''))
  }
  return parts
}

const isQuestion = (text: string): boolean => /[?？؟]["'”)]?$/.test(text.trimEnd())

/** No question and no query twice. A question without queries is searched for by its own words. */
function limitPlan(
  parts: readonly SubQuestion[],
  { subquestionsMax, queriesMax }: PlanLimits,
): SubQuestion[] {
  const lines = parts.map(({ question, queries }) => ({ question: toLine(question, QUESTION_MAX), queries }))
  const asked = new Set<string>()
  return withoutDuplicates(lines, ({ question }) => question)
    .slice(0, subquestionsMax)
    .map(({ question, queries }) => {
      const lines = queries.slice(0, 50).map((query) => toLine(query, QUERY_MAX))
      const fresh = withoutDuplicates(lines, (query) => query, asked).slice(0, Math.max(1, queriesMax))
      if (fresh.length > 0) return { question, queries: fresh }
      const own =
        suggestQueries(question).find((query) => !asked.has(toComparisonKey(query))) ??
        toLine(question, QUERY_MAX)
      asked.add(toComparisonKey(own))
      return { question, queries: [own] }
    })
}
