// Vectors as bytes: of length 127 in as many dimensions as their model has, so that a dot product is a cosine.

export const UNIT = 127

/** Any vector as one that is kept. One without a direction stays at the origin. */
export function quantize(vector: readonly number[]): Int8Array {
  const length = Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0))
  return Int8Array.from(vector, (each) => (length === 0 ? 0 : Math.round((each / length) * UNIT)))
}

export const asBytes = ({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export function concatVectors(vectors: readonly Int8Array[]): Uint8Array {
  const size = vectors[0]?.length ?? 0
  const all = new Int8Array(size * vectors.length)
  for (const [at, vector] of vectors.entries()) all.set(vector, at * size)
  return asBytes(all)
}

/**
 * The product of a question with the vector that begins at an offset. Whole numbers throughout and eight at once: this is where a
 * search in a large index spends its time.
 */
export function dot(question: Int8Array, matrix: Int8Array, offset: number): number {
  const size = question.length
  const evenly = size & ~7
  let [first, second] = [0, 0]
  let at = offset
  let i = 0
  for (; i < evenly; i = (i + 8) | 0, at = (at + 8) | 0) {
    first =
      (first +
        Math.imul(question[i] as number, matrix[at] as number) +
        Math.imul(question[i + 1] as number, matrix[at + 1] as number) +
        Math.imul(question[i + 2] as number, matrix[at + 2] as number) +
        Math.imul(question[i + 3] as number, matrix[at + 3] as number)) |
      0
    second =
      (second +
        Math.imul(question[i + 4] as number, matrix[at + 4] as number) +
        Math.imul(question[i + 5] as number, matrix[at + 5] as number) +
        Math.imul(question[i + 6] as number, matrix[at + 6] as number) +
        Math.imul(question[i + 7] as number, matrix[at + 7] as number)) |
      0
  }
  for (; i < size; i++, at++) first += Math.imul(question[i] as number, matrix[at] as number)
  return first + second
}

/** From -1 to 1. */
export const cosineOf = (product: number): number => product / (UNIT * UNIT)
