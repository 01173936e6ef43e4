// An encoded text: each feature once, with its weight.

import {
  eachFeature,
  type FeatureCache,
  HEAD_WEIGHT,
  HEAD_WORDS,
  termWeight,
  type Vocabulary,
} from '../../embedding/features.ts'

export type EncodedText = { readonly numbers: Int32Array; readonly amounts: Float32Array }

export function encode(
  vocabulary: Vocabulary,
  remembered: FeatureCache,
  text: string,
  kind: 'text' | 'query',
): EncodedText {
  const counts = new Map<number, number>()
  eachFeature(vocabulary, remembered, text, (number, share, word) => {
    const weight = kind === 'text' && word < HEAD_WORDS ? HEAD_WEIGHT : 1
    counts.set(number, (counts.get(number) ?? 0) + share * weight)
  })
  return {
    numbers: Int32Array.from(counts.keys()),
    amounts: Float32Array.from(counts.values(), termWeight),
  }
}
