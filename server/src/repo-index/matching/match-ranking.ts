// The second ranking. It selects the best chunks of the first ranking by their names, then ranks those by their texts.
import type { IndexedChunk } from '../search/memory-index.ts'
import { matchFeatures, type NamedChunk, nameFeatures } from './match-features.ts'
import { weigh, weightsFor } from './match-weights.ts'
import type { QueryProfile } from './query-profile.ts'

export type RankedChunk = {
  readonly indexed: IndexedChunk
  readonly score: number
  readonly lexical: number
  readonly vector: number
  readonly history: number
}

export type MatchCandidate = RankedChunk & { readonly scope: string; readonly content: string }

/** A name or a file name in the query is almost certainly meant. */
const NAMED = 8
const PATH_NAMED = 4
/** Scores of a reply fall by two thirds when a chunk is this much less likely than the best. */
const SCORE_SCALE = 6

/** The best by name, path and first ranking. */
export function selectByName<T extends RankedChunk>(
  query: QueryProfile,
  ranked: readonly T[],
  most: number,
): T[] {
  const { byName } = weightsFor(query.isAboutChange)
  const features = nameFeatures(query, ranked.map(namedChunk))
  return ranked
    .map((chunk, i) => ({ chunk, match: bonusOf(query, chunk) + weigh(byName, features[i] ?? byName) }))
    .sort((a, b) => b.match - a.match)
    .slice(0, most)
    .map(({ chunk }) => chunk)
}

/** The best first. Scores are from 0 to 1: the best of the first ranking for the first, less for the others. */
export function rankByMatch<T extends MatchCandidate>(query: QueryProfile, candidates: readonly T[]): T[] {
  const { byMatch, sameFile } = weightsFor(query.isAboutChange)
  const features = matchFeatures(
    query,
    candidates.map((candidate) => ({
      ...namedChunk(candidate),
      scope: candidate.scope,
      content: candidate.content,
    })),
  )
  const scored = candidates.map((candidate, i) => ({
    candidate,
    match: bonusOf(query, candidate) + weigh(byMatch, features[i] ?? byMatch),
  }))
  const ordered = spreadFiles(scored, sameFile)
  const best = ordered[0]?.match ?? 0
  const top = Math.max(...candidates.map(({ score }) => score))
  return ordered.map(({ candidate, match }) => ({
    ...candidate,
    score: top * Math.exp(Math.min(0, match - best) / SCORE_SCALE),
  }))
}

const namedChunk = ({ indexed: { file, kind, symbol }, ...scores }: RankedChunk): NamedChunk => ({
  ...{ path: file.path, kind, symbol },
  ...{ lexical: scores.lexical, vector: scores.vector, history: scores.history },
})

const bonusOf = (query: QueryProfile, { indexed: { symbol, file } }: RankedChunk): number =>
  (query.isNamed(symbol) ? NAMED : 0) + (query.isPathNamed(file.path) ? PATH_NAMED : 0)

type ScoredCandidate<T> = { readonly candidate: T; readonly match: number }

/** The best first, after the deduction for further chunks of a file. */
function spreadFiles<T extends RankedChunk>(
  scored: readonly ScoredCandidate<T>[],
  sameFile: number,
): ScoredCandidate<T>[] {
  const chunksOf = new Map<string, number>()
  return scored
    .toSorted((a, b) => b.match - a.match)
    .map(({ candidate, match }) => {
      const { path } = candidate.indexed.file
      const before = chunksOf.get(path) ?? 0
      chunksOf.set(path, before + 1)
      return { candidate, match: match - sameFile * before }
    })
    .sort((a, b) => b.match - a.match)
}
