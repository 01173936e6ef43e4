// Retrieval quality for questions about code: by plain words, by words inside identifiers, by built-in vectors, by their fusion, and
// by the second ranking of the fused candidates. Uses packages from our lockfile that the embedding model was not trained on.
import { embedQuery, embedText } from '@cowrie/models/embedding/embedding.ts'
import { type EvaluationSet, installedSets } from '@cowrie/models/train/evaluation.ts'
import { type Pair, textWithPath } from '@cowrie/models/train/mining/pair.ts'
import { dot } from '../../src/repo-index/embedding/vectors.ts'
import { rankByMatch, selectByName } from '../../src/repo-index/matching/match-ranking.ts'
import { profileQuery } from '../../src/repo-index/matching/query-profile.ts'
import {
  DEFAULT_VECTOR_WEIGHT,
  type FusedHit,
  fuse,
  RANKED_MAX,
  VECTOR_WEIGHTS,
} from '../../src/repo-index/ranking/fusion.ts'
import { createLexicalIndex, type LexicalIndex } from '../../src/repo-index/ranking/lexical.ts'
import type { ScoredItem } from '../../src/repo-index/ranking/top-k.ts'
import { createWordSearch } from './bm25.ts'

export type Quality = { readonly mrr10: number; readonly recall10: number }
export type RetrievalLine = {
  readonly name: string
  readonly language: string
  readonly queries: number
  readonly words: Quality
  readonly identifiers: Quality
  readonly vectors: Quality
  /** With the weight of an index before its calibration. */
  readonly fused: Quality
  /** With the best weight of the other half of the questions: no question selects the weight that it is scored with. */
  readonly calibrated: Quality
  /** The fusion of an index before its calibration, ranked again by names and texts: the order that a search returns. */
  readonly ranked: Quality
  readonly weights: readonly number[]
}
/** The search methods that are compared. */
export type SearchMethod = 'words' | 'identifiers' | 'vectors' | 'fused' | 'calibrated' | 'ranked'

export type RetrievalReport = {
  readonly lines: RetrievalLine[]
  readonly microsPerText: number
  readonly charactersPerText: number
  readonly megabytesPerSecond: number
}

/** One ranking per question: indexes of texts, the best first. */
type Rankings = (readonly { readonly at: number; readonly score: number }[])[]

export function measureRetrieval(sets: readonly EvaluationSet[] = installedSets()): RetrievalReport {
  const lines = sets.map(measureSet)
  return { lines, ...speedOf(sets.flatMap(({ pairs }) => pairs.map(textWithPath))) }
}

export function meanOf(lines: readonly RetrievalLine[], which: SearchMethod): Quality {
  const queries = lines.reduce((sum, line) => sum + line.queries, 0)
  const mean = (of: keyof Quality) =>
    lines.reduce((sum, line) => sum + line[which][of] * line.queries, 0) / queries
  return { mrr10: mean('mrr10'), recall10: mean('recall10') }
}

function measureSet({ name, pairs }: EvaluationSet): RetrievalLine {
  const questions = pairs.map(({ question }) => question)
  const plain = createWordSearch(pairs.map(textWithPath))
  const lexical = createLexicalIndex(
    pairs.map(({ code, path, name: symbol }) => ({ body: code, symbol, path })),
  )
  const byWords = questions.map((question) => plain(question, RANKED_MAX))
  const byIdentifiers = questions.map((question) =>
    lexical.search(question, RANKED_MAX).map(({ doc, score }) => ({ at: doc, score })),
  )
  const byVectors = rankedByVectors(pairs)
  const fused = byIdentifiers.map((ranking, i) => fuse(ranking, byVectors[i] ?? [], DEFAULT_VECTOR_WEIGHT))
  const halves = [0, 1].map((half) => fusedHalf(byIdentifiers, byVectors, half))
  return {
    name,
    language: pairs[0]?.language ?? '',
    queries: pairs.length,
    words: qualityOf(byWords),
    identifiers: qualityOf(byIdentifiers),
    vectors: qualityOf(byVectors),
    fused: qualityOf(fused),
    ranked: qualityOf(fused.map((hits, i) => rankAgain(questions[i] ?? '', hits, pairs, lexical))),
    calibrated: qualityOf(questions.map((_, i) => halves[i % 2]?.rankings[i] ?? [])),
    weights: halves.map(({ weight }) => weight),
  }
}

const CANDIDATES = 100

function rankAgain(
  question: string,
  fused: readonly FusedHit[],
  pairs: readonly Pair[],
  lexical: LexicalIndex,
): Rankings[number] {
  const profile = profileQuery(question, lexical.rarityOf)
  const candidates = fused.flatMap((hit) => {
    const pair = pairs[hit.at]
    if (!pair) return []
    const { path, name: symbol, code: content } = pair
    const file = { id: path, path, chunks: 1, version: 1n }
    const indexed = { file, ord: hit.at, kind: 'function', symbol, startLine: 1, endLine: 1 }
    return { ...hit, indexed, scope: '', content, history: 0 }
  })
  return rankByMatch(profile, selectByName(profile, candidates, CANDIDATES))
}

function rankedByVectors(pairs: readonly Pair[]): ScoredItem[][] {
  const vectors = pairs.map((pair) => embedText(textWithPath(pair)))
  return pairs.map(({ question }) => {
    const asked = embedQuery(question)
    const scored = vectors.map((vector, at) => ({ at, score: dot(asked, vector, 0) }))
    return scored.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, RANKED_MAX)
  })
}

/** The rankings of all questions with the weight that is best for the other half. */
function fusedHalf(
  lexical: readonly ScoredItem[][],
  vectors: readonly ScoredItem[][],
  half: number,
): { weight: number; rankings: Rankings } {
  const tried = VECTOR_WEIGHTS.map((weight) => ({
    weight,
    rankings: fusedBy(weight, lexical, vectors),
  }))
  const score = (rankings: Rankings) => qualityOf(rankings, (i) => i % 2 !== half).mrr10
  return tried.reduce((best, each) => (score(each.rankings) > score(best.rankings) ? each : best))
}

const fusedBy = (
  weight: number,
  lexical: readonly ScoredItem[][],
  vectors: readonly ScoredItem[][],
): Rankings => lexical.map((ranking, i) => fuse(ranking, vectors[i] ?? [], weight))

/** The expected text of a question has the same index as the question. */
function qualityOf(rankings: Rankings, isCounted: (question: number) => boolean = () => true): Quality {
  const ranks = rankings.flatMap((ranking, i) =>
    isCounted(i) ? [ranking.findIndex(({ at }) => at === i) + 1] : [],
  )
  const found = ranks.filter((rank) => rank >= 1 && rank <= 10)
  return {
    mrr10: found.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
    recall10: found.length / ranks.length,
  }
}

const PASSES = 5

/** Measured in CPU time. On a busy machine the fastest of several passes is the most reliable. */
function speedOf(texts: readonly string[]): Omit<RetrievalReport, 'lines'> {
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const passes = Array.from({ length: PASSES }, () => {
    const before = process.cpuUsage()
    for (const text of texts) embedText(text)
    return process.cpuUsage(before).user
  })
  const fastestMicros = Math.min(...passes)
  return {
    microsPerText: fastestMicros / texts.length,
    charactersPerText: characters / texts.length,
    megabytesPerSecond: characters / fastestMicros,
  }
}
