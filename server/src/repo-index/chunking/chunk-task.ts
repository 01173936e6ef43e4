// Worker task: splits files into chunks and counts their tokens and terms.

import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import { threadMs } from '@cowrie/workspace/edits/work-time.ts'
import { countTokens } from '../../platform/inference/tokens/count-tokens.ts'
import { isData } from '../filter/languages.ts'
import { maskPath, maskText } from '../filter/mask-secrets.ts'
import { termCounts } from '../ranking/lexical.ts'
import { type Chunk, embeddedText } from './chunk.ts'
import { chunkFile } from './chunk-file.ts'

export type ChunkInput = {
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** False after parser failures. Then code is split like other text. */
  readonly bySyntax: boolean
}

/** A chunk with its token and term counts. */
export type CountedChunk = Chunk & {
  readonly tokens: number
  /** Terms followed by their weights: `parse 3 body 1`. */
  readonly terms: string
  readonly length: number
}

/** Covers the first files in order, at least one. `secret` marks a file that consists of secrets. */
export type ChunkOutput = {
  readonly files: readonly (readonly CountedChunk[] | 'secret')[]
  /** Whether the parser failed on the last of these files, or took far too long. */
  readonly hasParserFailed: boolean
}

const SECRETS_MAX = 200
/** After this time the task ends and the caller sends the remaining files again. */
const TASK_MS = 3_000
/** In CPU time, so that a busy machine does not give up the parser. */
const FILE_MS = 3_000

export async function run({ files, bySyntax }: ChunkInput): Promise<ChunkOutput> {
  const startMs = performance.now()
  const done: (CountedChunk[] | 'secret')[] = []
  let hasParserFailed = false
  for (const { path, content } of files) {
    const workedMs = threadMs()
    done.push(await chunkText(path, content, bySyntax))
    hasParserFailed = isThreadUnusable() || threadMs() - workedMs > FILE_MS
    if (hasParserFailed || performance.now() - startMs > TASK_MS) break
  }
  return { files: done, hasParserFailed }
}

async function chunkText(
  path: string,
  content: string,
  bySyntax: boolean,
): Promise<CountedChunk[] | 'secret'> {
  const { text, secrets } = maskText(content.toWellFormed(), !isData(path))
  if (secrets > SECRETS_MAX) return 'secret'
  const chunks = await chunkFile(path, text, bySyntax)
  const shownPath = maskPath(path)
  return chunks.map((chunk) => countChunk(path, shownPath, chunk))
}

function countChunk(path: string, shownPath: string, chunk: Chunk): CountedChunk {
  const { content, scope, symbol } = chunk
  const { counts, length } = termCounts({ body: content, header: scope, symbol, path })
  const terms = [...counts].map(([term, weight]) => `${term} ${weight}`).join(' ')
  return { ...chunk, tokens: countTokens(embeddedText(shownPath, chunk)), terms, length }
}
