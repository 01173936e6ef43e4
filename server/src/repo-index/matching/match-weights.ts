// The weights of match features, fitted on questions about open-source packages; see decisions/0077. A difference of 1 makes a chunk
// about three times as likely to be the answer.
import type { MatchFeatures, NameFeatures } from './match-features.ts'

export type MatchWeights = {
  /** Selects the chunks whose texts are read. */
  readonly byName: NameFeatures
  readonly byMatch: MatchFeatures
  /** Each further chunk of the same file counts this much less. */
  readonly sameFile: number
}

/** The history is read for changes only. */
const NO_HISTORY = { history: 0, historyRank: 0, area: 0 } as const

/** For questions and descriptions of a function. The weight of sections is chosen: none of these questions asked for prose. */
const QUESTION: MatchWeights = {
  byName: {
    ...NO_HISTORY,
    ...{ lexical: 1.6, lexicalRank: 1.35, vector: 1.97, vectorRank: 1.62 },
    ...{
      symbol: 0.07,
      path: 2,
      symbolPrecision: 0.51,
      symbolPrefix: 2.6,
      symbolRelated: 1.33,
      symbolPart: 1,
    },
    ...{ file: 1.25, class: -2.87, function: 2.98, section: 1.5, window: 1.75, test: -3.45, private: -1.04 },
  },
  byMatch: {
    ...NO_HISTORY,
    ...{ lexical: 0.95, lexicalRank: 0.71, vector: 1.27, vectorRank: 0.57 },
    ...{
      ...{ symbol: -0.41, path: 0.51, symbolPrecision: -0.22 },
      ...{ symbolPrefix: 2.35, symbolRelated: -0.43, symbolPart: 0.28 },
      ...{ symbolNear: 0.66, verb: 0.94, letters: 1.3, definitions: 0.82 },
    },
    ...{ file: 0.97, class: -4.74, function: 2.99, section: 0.5, window: 2.53, test: -3.39, private: -0.78 },
    ...{ scope: -0.7, signature: 2.61, body: -1.71, anywhere: 2.59, plainBody: 0.64 },
    ...{ pairs: 0.54, neighbours: 0.88, nameVector: 1.63, length: -1.63 },
  },
  sameFile: 0.1,
}

/** For subjects of commits. The weights of the history were chosen afterwards, on the commits of this repository. */
const CHANGE: MatchWeights = {
  byName: {
    ...{ history: 2, historyRank: 2, area: 3 },
    ...{ lexical: 1.31, lexicalRank: 2.27, vector: 1.02, vectorRank: 1.06 },
    ...{
      ...{ symbol: 0.23, path: 3.19, symbolPrecision: -1.53 },
      ...{ symbolPrefix: 0.58, symbolRelated: 1.5, symbolPart: -1.93 },
    },
    ...{ file: 1.29, class: -0.63, function: 2.96, section: 2.08, window: 1.77, test: -3.73, private: -1.34 },
  },
  byMatch: {
    ...{ history: 1, historyRank: 1, area: 3 },
    ...{ lexical: -1.13, lexicalRank: 1.01, vector: 1.14, vectorRank: 1.1 },
    ...{
      ...{ symbol: -1.04, path: 3.41, symbolPrecision: -1.82 },
      ...{ symbolPrefix: -1, symbolRelated: 0.79, symbolPart: -2.77 },
    },
    ...{ file: 2.54, class: -1.18, function: 3.18, section: 3.1, window: 3.19, test: -2.95, private: 0.33 },
    ...{ scope: -1.06, signature: -1.25, body: 1.86, anywhere: 2.78, plainBody: 2.1 },
    ...{ symbolNear: 0, verb: 0, letters: 0, definitions: 0 },
    ...{ pairs: 1.68, neighbours: 1.49, nameVector: -2.58, length: 2.73 },
  },
  sameFile: 9,
}

export const weightsFor = (isAboutChange: boolean): MatchWeights => (isAboutChange ? CHANGE : QUESTION)

/** The weighted sum of features. */
export function weigh<F extends NameFeatures>(weights: F, features: F): number {
  let sum = 0
  for (const name in weights) sum += (weights[name] as number) * (features[name] as number)
  return sum
}
