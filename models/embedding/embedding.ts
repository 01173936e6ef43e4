// Texts as points: those about the same thing lie near each other. Built in, so an index needs no network and no other service.
import { readFileSync } from 'node:fs'
import { type Model, modelOf } from './model.ts'
import { DamagedWeights, readWeights } from './weights.ts'

/** Changes whenever the same text would get another vector: vectors of two models are not compared. */
export const EMBEDDING_MODEL = 'cowrie-embed-1'
export const EMBEDDING_DIMENSIONS = 256

const FILE = new URL(`./weights/${EMBEDDING_MODEL}.bin`, import.meta.url)

/** The vector of a piece of code or prose that is kept. Its length is 127, or 0 when the text has no words. */
export const embedText = (text: string): Int8Array => model().embedText(text)

/** The vector of a question, to be compared with those of texts by their dot product. */
export const embedQuery = (text: string): Int8Array => model().embedQuery(text)

/** Read when the first text comes, once per thread. */
let loaded: Model | undefined

function model(): Model {
  loaded ??= load(readFileSync(FILE))
  return loaded
}

/** Throws when it is not the file of this model. */
export function load(file: Buffer): Model {
  const weights = readWeights(file)
  if (weights.dimensions !== EMBEDDING_DIMENSIONS) throw new DamagedWeights('it has other dimensions')
  return modelOf(weights)
}
