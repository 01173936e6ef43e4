// Reciprocal rank fusion of the lexical and the vector ranking, whose scores are not comparable.
import type { ScoredItem } from './top-k.ts'

export type FusedHit = {
  readonly at: number
  /** From 0 to 1. First in both rankings is 1. */
  readonly score: number
  /** The scores of the two rankings; 0 if the item is not among their best. */
  readonly lexical: number
  readonly vector: number
}

/** The usual constant of reciprocal rank fusion. The results depend on it only slightly. */
const RANK_OFFSET = 60
/** The length of each ranking. */
export const RANKED_MAX = 200
export const VECTOR_WEIGHTS = [0, 0.25, 0.5, 1, 2] as const
/** Used until the repository is calibrated. */
export const DEFAULT_VECTOR_WEIGHT = 0.5

/** The best first; ties by position. `vectorWeight` is relative to the lexical weight of 1. */
export function fuse(
  lexical: readonly ScoredItem[],
  vector: readonly ScoredItem[],
  vectorWeight: number,
): FusedHit[] {
  const fused = new Map<number, { at: number; score: number; lexical: number; vector: number }>()
  const best = (1 + vectorWeight) / (RANK_OFFSET + 1)
  const add = (side: 'lexical' | 'vector', list: readonly ScoredItem[], weight: number) => {
    for (const [rank, { at, score }] of list.entries()) {
      const entry = fused.get(at) ?? { at, score: 0, lexical: 0, vector: 0 }
      entry.score += weight / (RANK_OFFSET + rank + 1) / best
      entry[side] = score
      fused.set(at, entry)
    }
  }
  add('lexical', lexical, 1)
  if (vectorWeight > 0) add('vector', vector, vectorWeight)
  return [...fused.values()].sort((a, b) => b.score - a.score || a.at - b.at)
}
