// The gradient of a batch, applied with Adagrad: the step shrinks for parameters with large past gradients.
import type { EncodedText } from './encode.ts'
import type { ModelParameters } from './parameters.ts'

export type Gradient = {
  readonly vectors: Float32Array
  readonly queryWeights: Float32Array
  readonly textWeights: Float32Array
  /** The sums of squares of all earlier gradients. */
  readonly past: {
    readonly vectors: Float32Array
    readonly queryWeights: Float32Array
    readonly textWeights: Float32Array
  }
  /** The features of this batch. All others stay unchanged. */
  readonly touched: Set<number>
}

export function emptyGradient({ vectors, features }: ModelParameters): Gradient {
  const arrays = () => ({
    vectors: new Float32Array(vectors.length),
    queryWeights: new Float32Array(features),
    textWeights: new Float32Array(features),
  })
  return { ...arrays(), past: arrays(), touched: new Set() }
}

export function addGradient(
  { vectors, dimensions, queryWeights, textWeights }: ModelParameters,
  gradient: Gradient,
  side: 'query' | 'text',
  { numbers, amounts }: EncodedText,
  pull: Float32Array,
  row: number,
): void {
  const [weights, weightGradient] =
    side === 'query' ? [queryWeights, gradient.queryWeights] : [textWeights, gradient.textWeights]
  const from = row * dimensions
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? 0
    const weight = (amounts[i] ?? 0) * Math.exp(weights[number] ?? 0)
    const to = number * dimensions
    let along = 0
    for (let d = 0; d < dimensions; d++) {
      const force = pull[from + d] ?? 0
      along += force * (vectors[to + d] ?? 0)
      gradient.vectors[to + d] = (gradient.vectors[to + d] ?? 0) + weight * force
    }
    weightGradient[number] = (weightGradient[number] ?? 0) + weight * along
    gradient.touched.add(number)
  }
}

export function applyGradient(parameters: ModelParameters, gradient: Gradient, rate: number): void {
  const { dimensions } = parameters
  for (const number of gradient.touched) {
    const start = number * dimensions
    adagradStep(parameters.vectors, gradient.vectors, gradient.past.vectors, start, start + dimensions, rate)
    for (const side of ['queryWeights', 'textWeights'] as const)
      adagradStep(parameters[side], gradient[side], gradient.past[side], number, number + 1, rate)
  }
  gradient.touched.clear()
}

function adagradStep(
  values: Float32Array,
  slopes: Float32Array,
  past: Float32Array,
  from: number,
  to: number,
  rate: number,
) {
  for (let at = from; at < to; at++) {
    const slope = slopes[at] ?? 0
    if (slope === 0) continue
    const sum = (past[at] ?? 0) + slope * slope
    past[at] = sum
    values[at] = (values[at] ?? 0) - (rate * slope) / (Math.sqrt(sum) + SMALLEST)
    slopes[at] = 0
  }
}

const SMALLEST = 1e-8
