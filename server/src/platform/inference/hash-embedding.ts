// An embedding that needs no model: the parts of a text's words, hashed into a fixed number of directions. The same text
// always has the same vector, and texts that share words or parts of them lie close to each other.

export const HASH_DIMENSIONS = 512

const GRAM = 4
/** Parts of words say less than words. */
const GRAM_WEIGHT = 0.5
const WORD = /[\p{L}\p{N}]+/gu
/** `parseHTTPBody2` → parse, HTTP, Body, 2 */
const SUBTOKEN = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu

/** A vector of length 1; of length 0 for a text without words. */
export function hashEmbedding(text: string, dimensions = HASH_DIMENSIONS): Float32Array {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(WORD))
    for (const part of word.match(SUBTOKEN) ?? [word]) countParts(counts, part.toLowerCase())
  const vector = new Float32Array(dimensions)
  for (const [part, count] of counts) {
    const hash = fnv1a(part)
    // One bit decides the sign, so that parts which meet in a place cancel as often as they add up.
    const sign = hash & 0x80000000 ? -1 : 1
    const place = (hash & 0x7fffffff) % dimensions
    const weight = part.startsWith('#') ? GRAM_WEIGHT : 1
    vector[place] = (vector[place] ?? 0) + sign * weight * (1 + Math.log(count))
  }
  return normalised(vector)
}

function countParts(counts: Map<string, number>, part: string): void {
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  add(part)
  const framed = `^${part}$`
  for (let at = 0; at + GRAM <= framed.length; at++) add(`#${framed.slice(at, at + GRAM)}`)
}

/** 32 bits, spread evenly enough for this and the same everywhere. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // The last characters reach the low bits only after a final stir.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0))
  return length === 0 ? vector : vector.map((each) => each / length)
}
