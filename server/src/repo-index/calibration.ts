// Chooses by what an index is calibrated: documented functions among the files of one call.
import { runTask, task } from '../platform/workers/workers.ts'
import type { CalibrateInput, Calibration, Sample } from './calibrate-task.ts'
import type { ChunkedFile } from './chunk-files.ts'
import type { Embedder } from './embed.ts'

export type { Calibration } from './calibrate-task.ts'

const calibrate = task<CalibrateInput, Calibration>(new URL('./calibrate-task.ts', import.meta.url))
const QUESTIONS = { least: 20, most: 200 } as const
const SAMPLES_MAX = 1_000
const TIMEOUT_MS = 10_000

/** Null where there is too little to measure by, or where each try would cost somebody. */
export async function calibrated(
  files: readonly ChunkedFile[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Calibration | null> {
  if (!embedder.isBuiltIn) return null
  const samples = samplesOf(files)
  if (samples.filter(({ question }) => question !== null).length < QUESTIONS.least) return null
  const found = await runTask(calibrate, { samples }, { timeoutMs: TIMEOUT_MS, signal })
  return found.queries < QUESTIONS.least ? null : found
}

function samplesOf(files: readonly ChunkedFile[]): Sample[] {
  const all = files.flatMap(({ path, chunks }) =>
    chunks.map((chunk) => ({ path, chunk, question: questionOf(chunk.docs) })),
  )
  const asked = spread(
    all.filter(({ chunk, question }) => chunk.kind === 'function' && question !== null),
    QUESTIONS.most,
  )
  const others = spread(
    all.filter((each) => !asked.includes(each)),
    SAMPLES_MAX - asked.length,
  )
  const isAsked = new Set(asked)
  return [...asked, ...others].map((each) => {
    const { path, chunk, question } = each
    const { scope, symbol, content, docs } = chunk
    return isAsked.has(each)
      ? { path, scope, symbol, content: content.replace(docs ?? '', () => ''), question }
      : { path, scope, symbol, content, question: null }
  })
}

/** So many, evenly from the first to the last. */
const spread = <T>(items: readonly T[], most: number): T[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).filter(
        (item) => item !== undefined,
      )

const WORDS_MIN = 4

/** The first sentence of a comment, as somebody would ask for it. */
export function questionOf(docs: string | undefined): string | null {
  if (docs === undefined) return null
  const plain = docs
    .replace(/^\s*(\/\*+|\*+\/|\*|\/\/+!?|#+|[rub]{0,2}("""|''')|--)/gim, ' ')
    .replace(/\*\/|"""|'''/g, ' ')
  const sentence =
    /^\s*([^@:]+?)(?:[.!?](?:\s|$)|\n\s*\n|\n\s*[@:]|$)/.exec(plain)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''
  return sentence.split(' ').length >= WORDS_MIN ? sentence : null
}
