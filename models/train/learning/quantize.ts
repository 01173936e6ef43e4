// Quantizes the trained weights: each row becomes integers from −7 to 7 with a scale factor.
import type { Weights } from '../../embedding/weights.ts'
import type { ModelParameters } from './parameters.ts'

const LARGEST = 7
/** Clipping the few largest values of a row gives finer steps for the others. The best ratio is used. */
const CLIP_RATIOS = [0.5, 0.6, 0.7, 0.8, 0.9, 1]

export function quantize(
  { dimensions, features, vectors, queryWeights, textWeights }: ModelParameters,
  words: readonly string[],
  provenanceSha256: string,
): Weights {
  const rows = new Int8Array(features * dimensions)
  const steps = new Float32Array(features)
  for (let feature = 0; feature < features; feature++) {
    const row = vectors.subarray(feature * dimensions, (feature + 1) * dimensions)
    const step = bestStep(row)
    steps[feature] = step
    rows.set(
      row.map((value) => whole(value, step)),
      feature * dimensions,
    )
  }
  return {
    dimensions,
    words,
    buckets: features - words.length,
    provenanceSha256,
    rows,
    queryFactors: steps.map((step, feature) => step * Math.exp(queryWeights[feature] ?? 0)),
    textFactors: steps.map((step, feature) => step * Math.exp(textWeights[feature] ?? 0)),
  }
}

const whole = (value: number, step: number): number =>
  Math.max(-LARGEST, Math.min(LARGEST, Math.round(value / step)))

function bestStep(row: Float32Array): number {
  const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  const errorOf = (step: number) =>
    row.reduce((sum, value) => sum + (value - whole(value, step) * step) ** 2, 0)
  const steps = CLIP_RATIOS.map((cut) => (largest * cut) / LARGEST)
  return steps.reduce((best, step) => (errorOf(step) < errorOf(best) ? step : best))
}
