// Files to chunks, on a thread: parsing, counting and splitting words are most of the work of an index.

import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import { countTokens } from '../../platform/inference/tokens/count-tokens.ts'
import { isData } from '../filter/languages.ts'
import { maskText } from '../filter/mask-secrets.ts'
import { termCounts } from '../ranking/lexical.ts'
import { type Chunk, embeddedText } from './chunk.ts'
import { chunkFile } from './chunk-file.ts'

export type ChunkInput = {
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** False after parsers have failed: then code is cut like any other text. */
  readonly bySyntax: boolean
}

/** A chunk with what is counted in it. */
export type CountedChunk = Chunk & {
  readonly tokens: number
  /** Terms and their weights in turn: `parse 3 body 1`. */
  readonly terms: string
  readonly length: number
}

/** Of the first files, in their order, at least one of them. A file of secrets has no chunks: it is `secret`. */
export type ChunkOutput = {
  readonly files: readonly (readonly CountedChunk[] | 'secret')[]
  /** Whether a parser failed at the last of them, or took far longer than it was given. */
  readonly isLoss: boolean
}

const SECRETS_MAX = 200
/** Then others have their turn, and what is left is asked for again. */
const TASK_MS = 3_000
const FILE_MS = 3_000

export async function run({ files, bySyntax }: ChunkInput): Promise<ChunkOutput> {
  const startMs = performance.now()
  const done: (CountedChunk[] | 'secret')[] = []
  let isLoss = false
  for (const { path, content } of files) {
    const fileMs = performance.now()
    done.push(await chunkText(path, content, bySyntax))
    const endMs = performance.now()
    isLoss = isThreadUnusable() || endMs - fileMs > FILE_MS
    if (isLoss || endMs - startMs > TASK_MS) break
  }
  return { files: done, isLoss }
}

async function chunkText(
  path: string,
  content: string,
  bySyntax: boolean,
): Promise<CountedChunk[] | 'secret'> {
  const { text, secrets } = maskText(content.toWellFormed(), !isData(path))
  if (secrets > SECRETS_MAX) return 'secret'
  const chunks = await chunkFile(path, text, bySyntax)
  return chunks.map((chunk) => countChunk(path, chunk))
}

function countChunk(path: string, chunk: Chunk): CountedChunk {
  const { content, scope, symbol } = chunk
  const { counts, length } = termCounts({ body: content, header: scope, symbol, path })
  const terms = [...counts].map(([term, weight]) => `${term} ${weight}`).join(' ')
  return { ...chunk, tokens: countTokens(embeddedText(path, chunk)), terms, length }
}
