// Calibrates the weight of vectors for an index, with the documented functions of one call.
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { ChunkedFile } from '../chunking/chunk-files.ts'
import type { TaskContext } from '../task-context.ts'
import { type CalibrateInput, type Calibration, QUESTIONS, SAMPLES_MAX } from './calibrate-task.ts'
import type { Embedder } from './embedder.ts'

const calibrateTask = task<CalibrateInput, Calibration>(new URL('./calibrate-task.ts', import.meta.url))
const TIMEOUT_MS = 10_000

/** Null with too few samples, after a timeout, or if the embedding model is not free. */
export async function calibrate(
  files: readonly ChunkedFile[],
  embedder: Embedder,
  context: TaskContext,
): Promise<Calibration | null> {
  if (!embedder.isBuiltIn) return null
  const input = chooseSamples(files)
  if (input.documented.length < QUESTIONS.least) return null
  try {
    const found = await runTask(calibrateTask, input, { ...context, timeoutMs: TIMEOUT_MS })
    return found.queries < QUESTIONS.least ? null : found
  } catch (error) {
    if (error instanceof TaskTimeout) return null
    throw error
  }
}

function chooseSamples(files: readonly ChunkedFile[]): CalibrateInput {
  const all = files.flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })))
  const isDocumented = ({ chunk: { kind, docs } }: (typeof all)[number]) =>
    kind === 'function' && docs !== undefined
  // Twice as many as needed, because not every comment is usable as a query.
  const documented = sampleEvenly(all.filter(isDocumented), 2 * QUESTIONS.most)
  const others = sampleEvenly(
    all.filter((each) => !isDocumented(each)),
    SAMPLES_MAX,
  )
  const sampleOf = ({ path, chunk: { scope, symbol, content, docs } }: (typeof all)[number]) => ({
    path,
    scope,
    symbol,
    content,
    docs: docs ?? null,
  })
  return { documented: documented.map(sampleOf), others: others.map(sampleOf) }
}

/** Up to `most` items, evenly spread. */
const sampleEvenly = <T>(items: readonly T[], most: number): T[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).filter(
        (item) => item !== undefined,
      )
