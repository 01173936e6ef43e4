// Splits many files into chunks on worker threads, in small batches, so that tasks of other callers can run in between.
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { IndexableFile, SkippedFile } from '../filter/skip-reason.ts'
import type { TaskContext } from '../task-context.ts'
import type { ChunkInput, ChunkOutput, CountedChunk } from './chunk-task.ts'

const chunkTask = task<ChunkInput, ChunkOutput>(new URL('./chunk-task.ts', import.meta.url))
const BATCH = { files: 50, characters: 500_000 } as const
const TIMEOUT_MS = 15_000
const CONCURRENT_BATCHES = 4
/** After this many parser failures or timeouts, the remaining files of a call are split without a parser. */
const PARSER_FAILURES_MAX = 3

export type ChunkedFile = IndexableFile & { readonly chunks: readonly CountedChunk[] }

export type ChunkResult = { readonly files: readonly ChunkedFile[]; readonly skipped: readonly SkippedFile[] }

export async function chunkFiles(
  files: readonly IndexableFile[],
  context: TaskContext,
): Promise<ChunkResult> {
  const done = new Map<IndexableFile, ChunkOutput['files'][number]>()
  const waiting = batchesOf(files)
  let failures = 0

  async function chunkBatch(batch: readonly IndexableFile[]): Promise<ChunkOutput> {
    const input = {
      files: batch.map(({ path, content }) => ({ path, content })),
      bySyntax: failures < PARSER_FAILURES_MAX,
    }
    const limits = { ...context, timeoutMs: TIMEOUT_MS }
    try {
      return await runTask(chunkTask, input, limits)
    } catch (error) {
      if (!(error instanceof TaskTimeout) || !input.bySyntax) throw error
      failures += 1
      return runTask(chunkTask, { ...input, bySyntax: false }, limits)
    }
  }

  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const { files: first, hasParserFailed } = await chunkBatch(batch)
      for (const [i, chunks] of first.entries()) if (batch[i]) done.set(batch[i], chunks)
      if (hasParserFailed) failures += 1
      if (first.length < batch.length) waiting.unshift(batch.slice(first.length))
    }
  }

  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, work))
  return {
    files: files.flatMap((file) => {
      const chunks = done.get(file) ?? []
      return chunks === 'secret' ? [] : { ...file, chunks }
    }),
    skipped: files.flatMap((file) =>
      done.get(file) === 'secret' ? { path: file.path, reason: 'secret' as const } : [],
    ),
  }
}

function batchesOf(files: readonly IndexableFile[]): IndexableFile[][] {
  const batches: IndexableFile[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const file of files) {
    const last = batches.at(-1)
    if (last && last.length < BATCH.files && characters + file.content.length <= BATCH.characters)
      last.push(file)
    else {
      batches.push([file])
      characters = 0
    }
    characters += file.content.length
  }
  return batches
}
