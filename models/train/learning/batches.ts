// Orders the training examples. Half of each batch comes from one package, because a search also runs
// within one project: neighbouring functions are harder to tell apart.
import type { EncodedText } from './encode.ts'
import { type Random, shuffle } from './random.ts'
import type { Example } from './step.ts'

export type PackagedExample = Example & { readonly package: string }

const BATCH = 128
const FROM_ONE_PACKAGE = 64
/** The share of features dropped from every text, so that the model does not rely on a single one. */
const DROPOUT = 0.2

export const batchesPer = (examples: number): number => Math.floor(examples / BATCH)

/** One epoch over all examples, without a last incomplete batch. */
export function* batches(examples: readonly PackagedExample[], random: Random): Generator<Example[]> {
  const packages = new Map<string, PackagedExample[]>()
  for (const example of examples) {
    const own = packages.get(example.package)
    if (own) own.push(example)
    else packages.set(example.package, [example])
  }
  const runs = [...packages.values()].flatMap((own) => cut(shuffle(own, random), FROM_ONE_PACKAGE))
  const all = shuffle(runs, random).flat()
  for (let at = 0; at + BATCH <= all.length; at += BATCH)
    yield all.slice(at, at + BATCH).map(({ query, text }) => ({
      query: dropFeatures(query, random),
      text: dropFeatures(text, random),
    }))
}

const cut = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

function dropFeatures({ numbers, amounts }: EncodedText, random: Random): EncodedText {
  const kept: number[] = []
  for (let i = 0; i < numbers.length; i++) if (random() >= DROPOUT) kept.push(i)
  if (kept.length === 0) return { numbers, amounts }
  return {
    numbers: Int32Array.from(kept, (i) => numbers[i] ?? 0),
    amounts: Float32Array.from(kept, (i) => amounts[i] ?? 0),
  }
}
