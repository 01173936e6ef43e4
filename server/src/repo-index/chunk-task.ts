// Files to chunks, on a thread: parsing, counting and splitting words are most of the work of an index.
import { countTokens } from '../platform/inference/tokens.ts'
import { type Chunk, embeddedText } from './chunk.ts'
import { chunkFile } from './chunking.ts'
import { termCounts } from './lexical.ts'
import { withoutSecrets } from './mask.ts'

export type ChunkInput = { readonly files: readonly { readonly path: string; readonly content: string }[] }

/** A chunk with what is counted in it. */
export type CountedChunk = Chunk & {
  readonly tokens: number
  /** Terms and their weights in turn: `parse 3 body 1`. */
  readonly terms: string
  readonly length: number
}

/** The chunks of each file, in the order of the files. */
export async function run({ files }: ChunkInput): Promise<CountedChunk[][]> {
  const all: CountedChunk[][] = []
  for (const { path, content } of files) {
    const chunks = await chunkFile(path, withoutSecrets(content.toWellFormed()))
    all.push(chunks.map((chunk) => counted(path, chunk)))
  }
  return all
}

function counted(path: string, chunk: Chunk): CountedChunk {
  const { content, scope, symbol } = chunk
  const { counts, length } = termCounts({ body: content, header: scope, symbol, path })
  const terms = [...counts].map(([term, weight]) => `${term} ${weight}`).join(' ')
  return { ...chunk, tokens: countTokens(embeddedText(path, chunk)), terms, length }
}
