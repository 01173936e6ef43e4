import { expect, test } from 'vitest'
import { createModel } from '../../embedding/model.ts'
import { encode } from './encode.ts'
import { emptyGradient } from './gradient.ts'
import { initialParameters } from './parameters.ts'
import { quantize } from './quantize.ts'
import { randomFrom } from './random.ts'
import { trainStep, unitVectors } from './step.ts'

const PAIRS = [
  ['drop', 'clear'],
  ['begin', 'start'],
  ['top', 'max'],
  ['error', 'throw'],
] as const
const words = PAIRS.flat()
const vocabulary = { numbers: new Map(words.map((word, i) => [word, i])), buckets: 16 }

function learnt(steps = 60) {
  const remembered = new Map()
  const batch = PAIRS.map(([question, code]) => ({
    query: encode(vocabulary, remembered, question, 'query'),
    text: encode(vocabulary, remembered, code, 'text'),
  }))
  const texts = batch.map(({ text }) => text)
  const parameters = initialParameters(words.length + 16, 16, texts, randomFrom(7))
  const gradient = emptyGradient(parameters)
  const losses = Array.from({ length: steps }, () => trainStep(parameters, gradient, batch, 0.05))
  return { parameters, losses, batch }
}

test('words with the same meaning converge, the same way every time', () => {
  const { parameters, losses } = learnt()
  expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 10)
  expect(learnt().parameters.vectors).toEqual(parameters.vectors)
})

test('a step decreases the loss: the gradient matches the numeric one', () => {
  const { parameters, batch } = learnt(1)
  const { vectors } = parameters
  const lossAt = () => trainStep(parameters, emptyGradient(parameters), batch, 0)
  const gradient = emptyGradient(parameters)
  trainStep(parameters, gradient, batch, 0)
  for (const at of [3, 40, 100]) {
    const slope = Math.sqrt(gradient.past.vectors[at] ?? 0)
    const value = vectors[at] ?? 0
    vectors[at] = value + 0.002
    const higher = lossAt()
    vectors[at] = value - 0.002
    expect(Math.abs(higher - lossAt()) / 0.004 / slope).toBeCloseTo(1, 1)
    vectors[at] = value
  }
})

test('the quantized model agrees with the trained one', () => {
  const { parameters } = learnt()
  const { queryWeights, textWeights } = parameters
  queryWeights.forEach((_, i) => {
    queryWeights[i] = Math.sin(i)
  })
  const model = createModel(quantize(parameters, words, ''))
  const text = words.join(' ')
  const expected = (kind: 'query' | 'text', weights: Float32Array) =>
    unitVectors(parameters, weights, [encode(vocabulary, new Map(), text, kind)]).units
  const likeness = (vector: Int8Array, units: Float32Array) =>
    vector.reduce((sum, value, d) => sum + (value / 127) * (units[d] ?? 0), 0)
  expect(likeness(model.embedQuery(text), expected('query', queryWeights))).toBeGreaterThan(0.98)
  expect(likeness(model.embedText(text), expected('text', textWeights))).toBeGreaterThan(0.98)
  expect(likeness(model.embedQuery(text), expected('text', textWeights))).toBeLessThan(0.98)
})
