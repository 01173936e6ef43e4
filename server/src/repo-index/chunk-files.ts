// Many files to chunks, some at a time: no task is long, and what others ask of the threads comes in between.
import { runTask, task } from '../platform/workers/workers.ts'
import type { ChunkInput, CountedChunk } from './chunk-task.ts'
import type { Candidate } from './skip.ts'

const toChunks = task<ChunkInput, CountedChunk[][]>(new URL('./chunk-task.ts', import.meta.url))
const BATCH = { files: 50, characters: 1_000_000 } as const
/** Each file has a second to be parsed, and the rest is quick. */
const TIMEOUT_MS = 120_000
const BATCHES_AT_ONCE = 4

export type ChunkedFile = Candidate & { readonly chunks: readonly CountedChunk[] }

export async function chunkFiles(files: readonly Candidate[], signal: AbortSignal): Promise<ChunkedFile[]> {
  const batches = batchesOf(files)
  const done: CountedChunk[][][] = []
  const next = batches.entries()
  const workInTurn = async () => {
    for (const [at, batch] of next) {
      const input = { files: batch.map(({ path, content }) => ({ path, content })) }
      done[at] = await runTask(toChunks, input, { timeoutMs: TIMEOUT_MS, signal })
    }
  }
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, workInTurn))
  const chunks = done.flat()
  return files.map((file, i) => ({ ...file, chunks: chunks[i] ?? [] }))
}

function batchesOf(files: readonly Candidate[]): Candidate[][] {
  const batches: Candidate[][] = []
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
