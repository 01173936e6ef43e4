// The file format of the model. The trainer writes it, and the first embedding reads it.
import { createHash } from 'node:crypto'

export type Weights = {
  readonly dimensions: number
  /** Subtokens and whole identifiers, numbered by position. */
  readonly words: readonly string[]
  /** The number of additional rows for trigrams of unknown words. */
  readonly buckets: number
  /** The SHA-256 of the list of training sources. */
  readonly provenanceSha256: string
  /** A row of small integers for each word and then each bucket. The factors of the row scale them. */
  readonly rows: Int8Array
  readonly queryFactors: Float32Array
  readonly textFactors: Float32Array
}

export class DamagedWeightsError extends Error {
  constructor(what: string) {
    super(`the weights of the embedding model are damaged: ${what}`)
    this.name = 'DamagedWeights'
  }
}

/*
 * Layout, little endian: magic and version, the length of the header, the header as JSON, the words separated by
 * line feeds. Then, at multiples of four: the query factors, the text factors, and the rows with two 4-bit numbers
 * per byte. The last 32 bytes are the SHA-256 of everything before.
 */
const MAGIC = 'COWEMB01'
const DIGEST_BYTES = 32

type Header = {
  dimensions: number
  words: number
  buckets: number
  wordBytes: number
  provenanceSha256: string
}

export function writeWeights(weights: Weights): Buffer {
  const { dimensions, words, buckets, provenanceSha256, rows, queryFactors, textFactors } = weights
  const wordText = Buffer.from(words.join('\n'))
  const facts: Header = {
    dimensions,
    words: words.length,
    buckets,
    wordBytes: wordText.length,
    provenanceSha256,
  }
  const head = Buffer.from(JSON.stringify(facts))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const front = Buffer.concat([Buffer.from(MAGIC), length, head, wordText])
  const packed = Buffer.alloc(rows.length / 2)
  for (let at = 0; at < packed.length; at++)
    packed[at] = (((rows[2 * at] ?? 0) + 8) << 4) | ((rows[2 * at + 1] ?? 0) + 8)
  const body = Buffer.concat([
    front,
    Buffer.alloc(-front.length & 3),
    Buffer.from(queryFactors.buffer, queryFactors.byteOffset, queryFactors.byteLength),
    Buffer.from(textFactors.buffer, textFactors.byteOffset, textFactors.byteLength),
    packed,
  ])
  return Buffer.concat([body, digestOf(body)])
}

/** Throws `DamagedWeights` for anything but what `writeWeights` has written. */
export function readWeights(file: Buffer): Weights {
  const body = file.subarray(0, -DIGEST_BYTES)
  if (file.length < MAGIC.length + 4 + DIGEST_BYTES || body.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new DamagedWeightsError('it is another kind of file')
  if (!digestOf(body).equals(file.subarray(-DIGEST_BYTES)))
    throw new DamagedWeightsError('its digest does not match')
  const headAt = MAGIC.length + 4
  const wordsAt = headAt + body.readUInt32LE(MAGIC.length)
  const head: Header = JSON.parse(body.toString('utf8', headAt, wordsAt))
  const { dimensions, buckets, provenanceSha256 } = head
  const count = head.words + buckets
  const factorsAt = (wordsAt + head.wordBytes + 3) & ~3
  const rowsAt = factorsAt + 8 * count
  if (body.length !== rowsAt + (count * dimensions) / 2)
    throw new DamagedWeightsError('its length does not match')
  return {
    dimensions,
    buckets,
    provenanceSha256,
    words: body.toString('utf8', wordsAt, wordsAt + head.wordBytes).split('\n'),
    rows: unpackRows(body.subarray(rowsAt)),
    queryFactors: floatsOf(body, factorsAt, count),
    textFactors: floatsOf(body, factorsAt + 4 * count, count),
  }
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** A copy, because the memory of a buffer may start at any offset and floats need multiples of four. */
const floatsOf = (body: Buffer, from: number, count: number): Float32Array =>
  new Float32Array(Uint8Array.from(body.subarray(from, from + 4 * count)).buffer)

function unpackRows(packed: Buffer): Int8Array {
  const rows = new Int8Array(packed.length * 2)
  for (let at = 0; at < packed.length; at++) {
    const both = packed[at] ?? 0
    rows[2 * at] = (both >> 4) - 8
    rows[2 * at + 1] = (both & 15) - 8
  }
  return rows
}
