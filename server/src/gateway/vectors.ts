// The vectors of embeddings, as numbers or packed: whichever the caller asked for and the upstream sent.
import { malformed } from '../platform/inference/completion-chunk.ts'

export type Encoding = 'float' | 'base64'

/** One vector in an encoding. Throws when it is none. */
export function vectorAs(encoding: Encoding, vector: unknown): number[] | string {
  if (typeof vector === 'string') {
    const bytes = Buffer.from(vector, 'base64')
    const isWhole = bytes.length > 0 && bytes.length % FLOAT_BYTES === 0
    if (!isWhole || bytes.toString('base64') !== vector) throw malformed('a vector that is not base64')
    return encoding === 'base64' ? vector : unpacked(bytes)
  }
  if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite))
    throw malformed('a vector that is no list of numbers')
  return encoding === 'base64' ? packed(Float32Array.from(vector)) : vector
}

const FLOAT_BYTES = 4

/** As 32-bit numbers, least byte first. */
const packed = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

function unpacked(bytes: Buffer): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) =>
    view.getFloat32(at * FLOAT_BYTES, true),
  )
}
