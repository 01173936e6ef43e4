// The prompt for the queries of the next pass. It lists open subquestions and earlier queries; the model only
// proposes queries.

import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import type { CoverageGap, ResearchPlan, SearchQuery } from '../types.ts'
import { fenceMaterial, materialRule, toMessages } from './material.ts'
import {
  parseItems,
  parseWholeNumber,
  readField,
  toComparisonKey,
  withoutDuplicates,
} from './parse-answer.ts'
import { QUERY_MAX, QUESTION_MAX, suggestQueries } from './plan-prompt.ts'
import { cutAtWord, oneLine, toLine } from './text-lines.ts'

type GapPromptInput = {
  readonly question: string
  readonly plan: ResearchPlan
  readonly gaps: readonly CoverageGap[]
  /** Earlier queries. */
  readonly earlierQueries: readonly string[]
  /** For all gaps together. */
  readonly queriesMax: number
}

const GAPS_MAX = 8
const EARLIER_SHOWN = 40
const EARLIER_CHARACTERS = 100
const WHY_MAX = 200

export function gapMessages(
  nonce: Nonce,
  { question, plan, gaps, earlierQueries, queriesMax }: GapPromptInput,
): Message[] {
  const system = `You continue web research that has open points.
${materialRule(nonce)}

For the open points propose up to ${queriesMax} new web search queries: a few key words each, likely to find what is missing, none of them a variation of those that were asked. Think of other terms, other languages, primary sources, official figures. Leave out what cannot be found on the web.

Answer with one JSON object and nothing else; "sub" is the number of the open point:
{"queries": [{"sub": 1, "query": "…"}]}`
  const open = gaps.slice(0, GAPS_MAX).map(({ sub, question: part, why }) => {
    const text = part || (plan.subquestions[sub]?.question ?? '')
    return `${sub + 1}. ${oneLine(cutAtWord(text, QUESTION_MAX))} (${oneLine(cutAtWord(why, WHY_MAX))})`
  })
  const before = earlierQueries
    .slice(-EARLIER_SHOWN)
    .map((query) => oneLine(cutAtWord(query, EARLIER_CHARACTERS)))
  return toMessages(system, [
    fenceMaterial(nonce, 'question', question),
    fenceMaterial(nonce, 'open', open.join('\n')),
    fenceMaterial(nonce, 'asked', before.join('\n')),
  ])
}

/** Null if nothing can be parsed; empty if the model has no more queries. */
export function parseQueries(
  text: string,
  { subs, queriesMax }: { subs: number; queriesMax: number },
): SearchQuery[] | null {
  const parsed = parseItems(text, ['queries', 'searches', 'searchqueries'], parseQuery)
  if (!parsed) return null
  const queries = parsed
    .map((query) => (subs === 1 ? { ...query, sub: 0 } : query))
    .filter(({ sub }) => sub >= 0 && sub < subs)
  return withoutDuplicates(queries, (query) => query.text).slice(0, queriesMax)
}

function parseQuery(value: unknown, isNamed: boolean): SearchQuery | null {
  const parsed =
    typeof value === 'string' && isNamed ? value : readField(value, ['query', 'text', 'q', 'search'])
  const text = toLine(parsed, QUERY_MAX)
  if (text === '') return null
  const sub = parseWholeNumber(readField(value, ['sub', 'subquestion', 'point', 'openpoint', 'id'])) ?? 0
  return { text, sub: sub - 1 }
}

const PER_GAP = 2

/** The next unused query variations for each gap; empty if all are used. */
export function fallbackQueries(
  gaps: readonly CoverageGap[],
  earlierQueries: readonly string[],
): SearchQuery[] {
  const seen = new Set(earlierQueries.map(toComparisonKey))
  return gaps.flatMap(({ sub, question }) => {
    const fresh = suggestQueries(question).filter((query) => !seen.has(toComparisonKey(query)))
    return withoutDuplicates(fresh.slice(0, PER_GAP), (query) => query, seen).map((text) => ({ text, sub }))
  })
}
