// Worker task: measures the best weight of vectors relative to terms. Comments of functions serve as queries for the functions,
// which are indexed without these comments.
import { embedQuery, embedText } from '@cowrie/models/embedding/embedding.ts'
import { type Chunk, embeddedText } from '../chunking/chunk.ts'
import { fuse, RANKED_MAX, VECTOR_WEIGHTS } from '../ranking/fusion.ts'
import { createLexicalIndex } from '../ranking/lexical.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import { cosineOf, dot } from './vectors.ts'

export type CalibrationSample = Pick<Chunk, 'scope' | 'symbol'> & {
  readonly path: string
  readonly content: string
  /** The documentation comment in the content. */
  readonly docs: string | null
}

/** `documented` samples can become queries; `others` are only distractors. */
export type CalibrateInput = {
  readonly documented: readonly CalibrationSample[]
  readonly others: readonly CalibrationSample[]
}

export type Calibration = {
  readonly weight: number
  readonly queries: number
  /** Mean reciprocal rank by weight. */
  readonly ranks: Readonly<Record<string, number>>
}

const MEASURE_MS = 400
/** A heavier weight must improve the rank by at least this much. */
const IMPROVEMENT_MIN = 0.002

export const QUESTIONS = { least: 20, most: 200 } as const
export const SAMPLES_MAX = 1_000

type CalibrationQuestion = CalibrationSample & { readonly question: string | null }

export const run = (input: CalibrateInput): Calibration => measureWeights(input, MEASURE_MS)

/** Uses as many queries as the time allows. */
export function measureWeights(input: CalibrateInput, msMax: number): Calibration {
  const samples = toQuestions(input)
  const lexical = createLexicalIndex(
    samples.map(({ path, scope, symbol, content }) => ({ body: content, header: scope, symbol, path })),
  )
  const vectors = samples.map((sample) => embedText(embeddedText(sample.path, sample)))
  // The time limit starts here; the number of samples bounds the work before.
  const endMs = performance.now() + msMax
  const sums: number[] = VECTOR_WEIGHTS.map(() => 0)
  let queries = 0
  for (const [at, { question }] of samples.entries()) {
    if (question === null) continue
    if (performance.now() > endMs) break
    queries += 1
    const byWords = lexical.search(question, RANKED_MAX).map(({ doc, score }) => ({ at: doc, score }))
    const byMeaning = nearest(embedQuery(question), vectors)
    for (const [i, weight] of VECTOR_WEIGHTS.entries())
      sums[i] = (sums[i] ?? 0) + reciprocalRank(at, fuse(byWords, byMeaning, weight))
  }
  const ranks = sums.map((sum) => (queries === 0 ? 0 : sum / queries))
  const enough = Math.max(...ranks) - IMPROVEMENT_MIN
  const chosen = ranks.findIndex((rank) => rank >= enough)
  const named = VECTOR_WEIGHTS.map((weight, i) => [String(weight), Number((ranks[i] ?? 0).toFixed(4))])
  return { weight: VECTOR_WEIGHTS[chosen] ?? 0, queries, ranks: Object.fromEntries(named) }
}

function nearest(question: Int8Array, vectors: readonly Int8Array[]): ScoredItem[] {
  const top = createTopK(RANKED_MAX)
  for (const [at, vector] of vectors.entries()) top.offer(at, cosineOf(dot(question, vector, 0)))
  return top.list()
}

function reciprocalRank(target: number, ranking: readonly { readonly at: number }[]): number {
  const rank = ranking.findIndex(({ at }) => at === target)
  return rank === -1 ? 0 : 1 / (rank + 1)
}

/** Removes the comment that is used as the query from the content. */
function toQuestions({ documented, others }: CalibrateInput): CalibrationQuestion[] {
  const questions = documented
    .map((sample) => ({ ...sample, question: extractQuestion(sample.docs) }))
    .filter(({ question }) => question !== null)
    .slice(0, QUESTIONS.most)
    .map((sample) => ({ ...sample, content: sample.content.replace(sample.docs ?? '', () => '') }))
  return [
    ...questions,
    ...others.slice(0, SAMPLES_MAX - questions.length).map((sample) => ({ ...sample, question: null })),
  ]
}

const DOCS_CHARACTERS_MAX = 2_000
const WORDS_MIN = 4

/** The first sentence of a comment, as a search query. */
export function extractQuestion(docs: string | null): string | null {
  if (docs === null) return null
  const plain = docs
    .slice(0, DOCS_CHARACTERS_MAX)
    .replace(/^[ \t]*(\/\*+|\*+\/|\*|\/\/+!?|#+|[rub]{0,2}("""|''')|--)/gim, ' ')
    .replace(/\*\/|"""|'''/g, ' ')
  const text = plain.trim()
  const end = text.search(/[@:]|[.!?](?:\s|$)|\n[ \t]*\n/)
  const before = end === -1 ? text : text.slice(0, end)
  // A sentence with @ or : inside is not a realistic query.
  if (/[@:]/.test(text.charAt(end)) && !/\n[ \t]*$/.test(before)) return null
  const sentence = before.replace(/\s+/g, ' ').trim()
  return sentence.split(' ').length >= WORDS_MIN ? sentence : null
}
