// Worker task: ranks the chunks of files that are not indexed.
import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import type { Chunk } from '../chunking/chunk.ts'
import { chunkFile } from '../chunking/chunk-file.ts'
import type { SentFile } from '../filter/skip-reason.ts'
import { createLexicalIndex } from '../ranking/lexical.ts'

export type RankingInput = {
  readonly files: readonly SentFile[]
  readonly query: string
  readonly limit: number
}

export type RankedExcerpt = {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly symbol: string
}

const PARSE_MS = 1_000
/** Hits that score below this share of the best hit are irrelevant. */
const SCORE_SHARE = 0.3

/** The best first. Code is split by lines when parsing takes too long. */
export async function run({ files, query, limit }: RankingInput): Promise<RankedExcerpt[]> {
  const endMs = performance.now() + PARSE_MS
  const chunks: (Chunk & { path: string })[] = []
  for (const { path, content } of files) {
    const bySyntax = performance.now() < endMs && !isThreadUnusable()
    for (const chunk of await chunkFile(path, content, bySyntax)) chunks.push({ ...chunk, path })
  }
  const index = createLexicalIndex(
    chunks.map(({ content, scope, symbol, path }) => ({ body: content, header: scope, symbol, path })),
  )
  const hits = index.search(query, limit)
  const least = (hits[0]?.score ?? 0) * SCORE_SHARE
  return hits.flatMap(({ doc, score }) => {
    const chunk = chunks[doc]
    if (!chunk || score < least) return []
    const { path, startLine, endLine, symbol } = chunk
    return { path, startLine, endLine, symbol }
  })
}
