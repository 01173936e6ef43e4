// Vectors as signed bytes, scaled to the length 127, so that a dot product is proportional to the cosine.

export const UNIT = 127

/** Normalises and quantises a vector. The zero vector stays zero. */
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
 * The dot product of a query and the vector at an offset. Unrolled eight times with integer arithmetic, because a search in a
 * large index spends most of its time here.
 */
export function dot(query: Int8Array, matrix: Int8Array, offset: number): number {
  const size = query.length
  const unrolledSize = size & ~7
  let [first, second] = [0, 0]
  let at = offset
  let i = 0
  for (; i < unrolledSize; i = (i + 8) | 0, at = (at + 8) | 0) {
    first =
      (first +
        Math.imul(query[i] as number, matrix[at] as number) +
        Math.imul(query[i + 1] as number, matrix[at + 1] as number) +
        Math.imul(query[i + 2] as number, matrix[at + 2] as number) +
        Math.imul(query[i + 3] as number, matrix[at + 3] as number)) |
      0
    second =
      (second +
        Math.imul(query[i + 4] as number, matrix[at + 4] as number) +
        Math.imul(query[i + 5] as number, matrix[at + 5] as number) +
        Math.imul(query[i + 6] as number, matrix[at + 6] as number) +
        Math.imul(query[i + 7] as number, matrix[at + 7] as number)) |
      0
  }
  for (; i < size; i++, at++) first += Math.imul(query[i] as number, matrix[at] as number)
  return first + second
}

/** Converts a dot product to a cosine from -1 to 1. */
export const cosineOf = (product: number): number => product / (UNIT * UNIT)
