// Computes vectors from the weights: the weighted sum of the features, normalized.
import {
  eachFeature,
  type FeatureCache,
  HEAD_WEIGHT,
  HEAD_WORDS,
  termWeight,
  type Vocabulary,
} from './features.ts'
import type { Weights } from './weights.ts'

export type Model = {
  readonly dimensions: number
  embedText(text: string): Int8Array
  embedQuery(text: string): Int8Array
}

/** The length of every vector, except for texts without words, which are zero. */
export const LENGTH = 127

export function createModel(weights: Weights): Model {
  const { dimensions, words, buckets, rows, queryFactors, textFactors } = weights
  const vocabulary: Vocabulary = { numbers: new Map(words.map((word, i) => [word, i])), buckets }
  const remembered: FeatureCache = new Map()
  // Reused between texts. Only the entries that a text used are cleared.
  const counts = new Float64Array(words.length + buckets)
  const used = new Int32Array(counts.length)
  const sum = new Float64Array(dimensions)

  function embed(text: string, factors: Float32Array, headWeight: number): Int8Array {
    let usedCount = 0
    eachFeature(vocabulary, remembered, text, (number, share, word) => {
      const before = counts[number] ?? 0
      if (before === 0) used[usedCount++] = number
      counts[number] = before + (word < HEAD_WORDS ? share * headWeight : share)
    })
    sum.fill(0)
    for (let i = 0; i < usedCount; i++) {
      const number = used[i] ?? 0
      const weight = termWeight(counts[number] ?? 0) * (factors[number] ?? 0)
      counts[number] = 0
      addRow(sum, rows, number * dimensions, weight)
    }
    return normalize(sum)
  }

  return {
    dimensions,
    embedText: (text) => embed(text, textFactors, HEAD_WEIGHT),
    embedQuery: (text) => embed(text, queryFactors, 1),
  }
}

// These two loops are most of the work, so they are unrolled by four.

function addRow(sum: Float64Array, rows: Int8Array, from: number, weight: number): void {
  for (let d = 0; d < sum.length; d += 4) {
    sum[d] = (sum[d] as number) + weight * (rows[from + d] as number)
    sum[d + 1] = (sum[d + 1] as number) + weight * (rows[from + d + 1] as number)
    sum[d + 2] = (sum[d + 2] as number) + weight * (rows[from + d + 2] as number)
    sum[d + 3] = (sum[d + 3] as number) + weight * (rows[from + d + 3] as number)
  }
}

function normalize(sum: Float64Array): Int8Array {
  const vector = new Int8Array(sum.length)
  let square = 0
  for (let d = 0; d < sum.length; d++) square += (sum[d] as number) ** 2
  const factor = square === 0 ? 0 : LENGTH / Math.sqrt(square)
  for (let d = 0; d < sum.length; d++) vector[d] = Math.round((sum[d] as number) * factor)
  return vector
}
