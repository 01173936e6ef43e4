// Extracts the numbered features of a text with their counts.
import { eachWord, subtokensOf } from './subtokens.ts'

export type Vocabulary = {
  /** Subtokens and whole identifiers with their numbers. */
  readonly numbers: ReadonlyMap<string, number>
  /** Words outside the vocabulary are hashed by trigrams into this many numbers after the last one. */
  readonly buckets: number
}

/** Features of words seen before. Texts repeat their words. */
export type FeatureCache = Map<string, Features>

/** Parallel arrays of numbers and shares. A word of the vocabulary has share 1. */
export type Features = { readonly numbers: Int32Array; readonly shares: Float32Array }

/** The rest of a longer text is ignored. Code chunks are much shorter. */
export const TEXT_CHARACTERS_MAX = 64_000

/** Calls back with every feature of a text, in order. */
export function eachFeature(
  vocabulary: Vocabulary,
  remembered: FeatureCache,
  text: string,
  tell: (number: number, share: number, word: number) => void,
): void {
  let position = 0
  eachWord(text, Math.min(text.length, TEXT_CHARACTERS_MAX), (word) => {
    let features = remembered.get(word)
    if (!features) {
      features = featuresOf(vocabulary, word)
      if (remembered.size >= CACHE_MAX) remembered.clear()
      remembered.set(word, features)
    }
    const { numbers, shares } = features
    for (let i = 0; i < numbers.length; i++) tell(numbers[i] ?? 0, shares[i] ?? 0, position)
    position++
  })
}

/** The vocabulary entry of a whole identifier. */
export const wholeOf = (subtokens: readonly string[]): string => `=${subtokens.join('')}`

const CACHE_MAX = 20_000

function featuresOf({ numbers, buckets }: Vocabulary, word: string): Features {
  const found: [number, number][] = []
  const subtokens = subtokensOf(word)
  for (const subtoken of subtokens) {
    const number = numbers.get(subtoken)
    if (number !== undefined) found.push([number, 1])
    else
      found.push(
        ...trigramsOf(subtoken).map(([group, share]): [number, number] => [
          numbers.size + (group % buckets),
          share,
        ]),
      )
  }
  const whole = subtokens.length > 1 ? numbers.get(wholeOf(subtokens)) : undefined
  if (whole !== undefined) found.push([whole, 1])
  return {
    numbers: Int32Array.from(found, ([number]) => number),
    shares: Float32Array.from(found, ([, share]) => share),
  }
}

/** The hashes of a subtoken's trigrams, including its boundaries. Together they weigh as much as one word. */
function trigramsOf(subtoken: string): [hash: number, share: number][] {
  const marked = `<${subtoken}>`
  const groups = Array.from({ length: Math.max(1, marked.length - 2) }, (_, at) => marked.slice(at, at + 3))
  return groups.map((group) => [hashOf(group), 1 / Math.sqrt(groups.length)])
}

/** FNV-1a with a final mix, so that similar inputs get different hashes. */
export function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * The first words of a code chunk are its path, name and signature, which are more significant than its
 * body.
 */
export const HEAD_WORDS = 20
export const HEAD_WEIGHT = 2

/** The weight of a feature by its count; the trainer and the model must agree on it. Sublinear, so that ten occurrences do not weigh ten times as much. */
export const termWeight = (count: number): number => Math.log1p(count)
