// The trained parameters: a vector for every feature, and its weight in queries and in texts.
import type { EncodedText } from './encode.ts'
import { normalFrom, type Random } from './random.ts'

export type ModelParameters = {
  readonly dimensions: number
  readonly features: number
  readonly vectors: Float32Array
  /** Logarithms, so that a weight stays positive. */
  readonly queryWeights: Float32Array
  readonly textWeights: Float32Array
}

/**
 * Vectors start as random noise, which already makes equal words similar. Weights start with the rarity of
 * a feature, because frequent words carry little information.
 */
export function initialParameters(
  features: number,
  dimensions: number,
  texts: readonly EncodedText[],
  random: Random,
): ModelParameters {
  const vectors = new Float32Array(features * dimensions)
  const scale = 1 / Math.sqrt(dimensions)
  for (let at = 0; at < vectors.length; at++) vectors[at] = normalFrom(random) * scale
  const weights = rarityOf(features, texts)
  return { dimensions, features, vectors, queryWeights: weights, textWeights: weights.slice() }
}

function rarityOf(features: number, texts: readonly EncodedText[]): Float32Array {
  const uses = new Float64Array(features)
  for (const { numbers } of texts) for (const number of numbers) uses[number] = (uses[number] ?? 0) + 1
  return Float32Array.from(uses, (count) => Math.log(Math.log1p(texts.length / (count + 1)) / LARGEST + 0.02))
}

const LARGEST = 8
