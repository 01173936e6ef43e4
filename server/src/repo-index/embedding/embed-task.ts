// Texts to vectors by the model that is built in, on a thread.
import { embedText } from '@cowrie/models/embedding/embedding.ts'
import { concatVectors } from './vectors.ts'

export type EmbedInput = { readonly texts: readonly string[] }

/** One after the other. */
export const run = ({ texts }: EmbedInput): Uint8Array => concatVectors(texts.map(embedText))
