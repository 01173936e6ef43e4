// Two rankings become one: by ranks, because scores of words and of meaning cannot be compared.
import type { ScoredItem } from './top-k.ts'

export type FusedHit = {
  readonly at: number
  /** From 0 to 1: first in both is 1. */
  readonly score: number
  /** As each side scored it; 0 where it was not among its best. */
  readonly lexical: number
  readonly vector: number
}

/** How far down a place still counts: the usual choice, and nothing here depends on it much. */
const RANK_OFFSET = 60
/** How many of each side are looked at. */
export const RANKED_MAX = 200
export const VECTOR_WEIGHTS = [0, 0.25, 0.5, 1, 2] as const
/** Until it was measured on the code itself. */
export const DEFAULT_VECTOR_WEIGHT = 0.5

/** The best first; of equal ones those that came first. `vectorWeight` is that of meaning, where words have 1. */
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
