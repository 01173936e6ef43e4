// The built-in embedding model. Texts about the same topic have similar vectors. An index needs no network
// and no other service.
import { readFileSync } from 'node:fs'
import { createModel, type Model } from './model.ts'
import { DamagedWeightsError, readWeights } from './weights.ts'

/**
 * Changes whenever the same text would get another vector. Vectors of different models are not comparable.
 */
export const EMBEDDING_MODEL = 'cowrie-embed-1'
export const EMBEDDING_DIMENSIONS = 256

const FILE = new URL(`./weights/${EMBEDDING_MODEL}.bin`, import.meta.url)

/** The vector of a stored code chunk or text. Its length is 127, or 0 if the text has no words. */
export const embedText = (text: string): Int8Array => model().embedText(text)

/** The vector of a query. Its dot product with a text vector is the similarity. */
export const embedQuery = (text: string): Int8Array => model().embedQuery(text)

/** Loaded with the first text, once per thread. */
let loaded: Model | undefined

function model(): Model {
  loaded ??= load(readFileSync(FILE))
  return loaded
}

/** Throws if it is not the file of this model. */
export function load(file: Buffer): Model {
  const weights = readWeights(file)
  if (weights.dimensions !== EMBEDDING_DIMENSIONS) throw new DamagedWeightsError('its dimensions differ')
  return createModel(weights)
}
