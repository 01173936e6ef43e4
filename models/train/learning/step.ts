// One training step with in-batch negatives: each text is a wrong answer to all other questions of the
// batch.
import type { EncodedText } from './encode.ts'
import { addGradient, applyGradient, type Gradient } from './gradient.ts'
import type { ModelParameters } from './parameters.ts'

export type Example = { readonly query: EncodedText; readonly text: EncodedText }

/** The inverse temperature of the softmax. */
const INVERSE_TEMPERATURE = 16

/**
 * Makes every question more similar to its own text and less to the others. Returns the mean loss before
 * the step.
 */
export function trainStep(
  parameters: ModelParameters,
  gradient: Gradient,
  batch: readonly Example[],
  rate: number,
): number {
  const { dimensions } = parameters
  const queries = unitVectors(
    parameters,
    parameters.queryWeights,
    batch.map(({ query }) => query),
  )
  const texts = unitVectors(
    parameters,
    parameters.textWeights,
    batch.map(({ text }) => text),
  )
  const size = batch.length
  const likeness = products(queries.units, texts.units, size, dimensions)
  const loss = toGradients(likeness, size)
  const queryPulls = weightedSums(likeness, texts.units, size, dimensions, false)
  const textPulls = weightedSums(likeness, queries.units, size, dimensions, true)
  projectToTangent(queryPulls, queries, dimensions)
  projectToTangent(textPulls, texts, dimensions)
  batch.forEach(({ query, text }, row) => {
    addGradient(parameters, gradient, 'query', query, queryPulls, row)
    addGradient(parameters, gradient, 'text', text, textPulls, row)
  })
  applyGradient(parameters, gradient, rate)
  return loss
}

type UnitVectors = { readonly units: Float32Array; readonly lengths: Float32Array }

/** The vectors of encoded texts, normalized to length 1. */
export function unitVectors(
  { vectors, dimensions }: ModelParameters,
  weights: Float32Array,
  all: readonly EncodedText[],
): UnitVectors {
  const units = new Float32Array(all.length * dimensions)
  const lengths = new Float32Array(all.length)
  all.forEach(({ numbers, amounts }, row) => {
    const start = row * dimensions
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0
      const weight = (amounts[i] ?? 0) * Math.exp(weights[number] ?? 0)
      const from = number * dimensions
      for (let d = 0; d < dimensions; d++)
        units[start + d] = (units[start + d] ?? 0) + weight * (vectors[from + d] ?? 0)
    }
    let square = 1e-12
    for (let d = 0; d < dimensions; d++) square += (units[start + d] ?? 0) ** 2
    const length = Math.sqrt(square)
    lengths[row] = length
    for (let d = 0; d < dimensions; d++) units[start + d] = (units[start + d] ?? 0) / length
  })
  return { units, lengths }
}

function products(left: Float32Array, right: Float32Array, size: number, dimensions: number): Float32Array {
  const result = new Float32Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const [a, b] = [i * dimensions, j * dimensions]
      let [one, two, three, four] = [0, 0, 0, 0]
      for (let d = 0; d < dimensions; d += 4) {
        one += (left[a + d] ?? 0) * (right[b + d] ?? 0)
        two += (left[a + d + 1] ?? 0) * (right[b + d + 1] ?? 0)
        three += (left[a + d + 2] ?? 0) * (right[b + d + 2] ?? 0)
        four += (left[a + d + 3] ?? 0) * (right[b + d + 3] ?? 0)
      }
      result[i * size + j] = one + two + three + four
    }
  return result
}

/**
 * Replaces similarities by the gradient of the loss, in both directions: question to texts and text to
 * questions.
 */
function toGradients(likeness: Float32Array, size: number): number {
  const powers = likeness.map((value) => Math.exp(INVERSE_TEMPERATURE * (value - 1)))
  const rows = new Float64Array(size)
  const columns = new Float64Array(size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const power = powers[i * size + j] ?? 0
      rows[i] = (rows[i] ?? 0) + power
      columns[j] = (columns[j] ?? 0) + power
    }
  let loss = 0
  for (let i = 0; i < size; i++) {
    const own = powers[i * size + i] ?? 0
    loss -= Math.log(own / (rows[i] ?? 1)) + Math.log(own / (columns[i] ?? 1))
    for (let j = 0; j < size; j++) {
      const power = powers[i * size + j] ?? 0
      const slope = power / (rows[i] ?? 1) + power / (columns[j] ?? 1) - (i === j ? 2 : 0)
      likeness[i * size + j] = (slope * INVERSE_TEMPERATURE) / (2 * size)
    }
  }
  return loss / (2 * size)
}

/**
 * The sum of all other vectors, weighted by the gradient. Four at once, so that the sums are read and
 * written a quarter as often.
 */
function weightedSums(
  slopes: Float32Array,
  others: Float32Array,
  size: number,
  dimensions: number,
  isTurned: boolean,
): Float32Array {
  const result = new Float32Array(size * dimensions)
  const [rowStep, columnStep] = isTurned ? [1, size] : [size, 1]
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j += 4) {
      const at = i * rowStep + j * columnStep
      const one = slopes[at] ?? 0
      const two = slopes[at + columnStep] ?? 0
      const three = slopes[at + 2 * columnStep] ?? 0
      const four = slopes[at + 3 * columnStep] ?? 0
      if (Math.abs(one) + Math.abs(two) + Math.abs(three) + Math.abs(four) < NEGLIGIBLE) continue
      const [to, from] = [i * dimensions, j * dimensions]
      for (let d = 0; d < dimensions; d++)
        result[to + d] =
          (result[to + d] ?? 0) +
          one * (others[from + d] ?? 0) +
          two * (others[from + dimensions + d] ?? 0) +
          three * (others[from + 2 * dimensions + d] ?? 0) +
          four * (others[from + 3 * dimensions + d] ?? 0)
    }
  return result
}

/** Smaller sums change nothing after rounding. */
const NEGLIGIBLE = 2e-5

/** Projects the gradient onto the tangent of the sphere, scaled by the length of the vector. */
function projectToTangent(pull: Float32Array, { units, lengths }: UnitVectors, dimensions: number): void {
  for (let row = 0; row < lengths.length; row++) {
    const start = row * dimensions
    let outward = 0
    for (let d = 0; d < dimensions; d++) outward += (pull[start + d] ?? 0) * (units[start + d] ?? 0)
    const length = lengths[row] ?? 1
    for (let d = 0; d < dimensions; d++)
      pull[start + d] = ((pull[start + d] ?? 0) - outward * (units[start + d] ?? 0)) / length
  }
}
