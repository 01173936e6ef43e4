// Worker task: embeds texts with the built-in model.
import { embedText } from '@cowrie/models/embedding/embedding.ts'
import { concatVectors } from './vectors.ts'

export type EmbedInput = { readonly texts: readonly string[] }

/** Returns the vectors concatenated. */
export const run = ({ texts }: EmbedInput): Uint8Array => concatVectors(texts.map(embedText))
