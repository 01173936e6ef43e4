// The searchable data of a file in one value: places, names, term numbers and vectors of its chunks. An index loads from packs
// many times faster than from a row per chunk.
import { itemWeight, packItem } from '../ranking/postings.ts'
import type { PackedTerms } from '../ranking/term-entries.ts'
import { hashTerm } from '../ranking/term-hash.ts'

/** A chunk without its text, with its terms and vector. */
export type SearchableChunk = {
  readonly kind: string
  readonly symbol: string
  readonly startLine: number
  readonly endLine: number
  /** Terms followed by their weights: `parse 3 body 1`. */
  readonly terms: string
  readonly length: number
  readonly embedding: Uint8Array
}

/** One chunk of a pack, without its terms. */
export type PackedChunk = Omit<SearchableChunk, 'terms'>

/** Packs of another format are ignored, and the rows of their chunks are read instead. */
const FORMAT = 1

export function encodePack(chunks: readonly SearchableChunk[]): Uint8Array {
  const numbers = new Map<string, number>()
  const size = chunks[0]?.embedding.length ?? 0
  const bytes = createWriter()
  for (const { kind, symbol, startLine, endLine, terms, length } of chunks) {
    bytes.text(kind)
    bytes.text(symbol)
    bytes.number(startLine)
    bytes.number(Math.max(0, endLine - startLine))
    bytes.number(length)
    const parts = terms.split(' ')
    bytes.number(parts.length >> 1)
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const term = parts[i] ?? ''
      const number = numbers.get(term) ?? numbers.size
      if (number === numbers.size) numbers.set(term, number)
      bytes.number(number)
      bytes.number(itemWeight(Number(parts[i + 1])))
    }
  }
  const head = createWriter()
  head.number(FORMAT)
  head.number(chunks.length)
  head.number(size)
  head.number(numbers.size)
  const hashes = Buffer.alloc(4 * numbers.size)
  let at = 0
  for (const term of numbers.keys()) at = hashes.writeUInt32LE(hashTerm(term), at)
  return Buffer.concat([head.take(), hashes, bytes.take(), ...chunks.map(({ embedding }) => embedding)])
}

// Reused between packs.
let numbers = new Uint32Array(16_384)
let items = new Uint32Array(16_384)

/** Kinds by their length. */
const kinds = new Map<number, readonly string[]>()
const KINDS_MAX = 8

export const isReadablePack = (pack: Uint8Array): boolean => pack[0] === FORMAT

/** Calls back with each chunk in order. The terms of all chunks are overwritten by the next pack. */
export function readPack(pack: Uint8Array, tell: (chunk: PackedChunk, ord: number) => void): PackedTerms {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  let at = 0
  const number = (): number => {
    let value = bytes[at++] as number
    if (value < 128) return value
    value &= 127
    for (let shift = 7; ; shift += 7) {
      const byte = bytes[at++] as number
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const text = (): string => {
    const length = number()
    at += length
    return bytes.toString('utf8', at - length, at)
  }
  /** All chunks of a kind share its string. */
  const kindText = (): string => {
    const known = kinds.get(bytes[at] as number)?.find((kind) => isTextAt(bytes, at + 1, kind))
    if (known !== undefined) {
      at += 1 + known.length
      return known
    }
    const kind = text()
    const alike = kinds.get(kind.length) ?? []
    if (/^[a-z]+$/.test(kind) && alike.length < KINDS_MAX) kinds.set(kind.length, [...alike, kind])
    return kind
  }
  at = 1
  const [chunkCount, size, termCount] = [number(), number(), number()]
  const dictionary = new Uint32Array(termCount)
  for (let i = 0; i < termCount; i++, at += 4) dictionary[i] = bytes.readUInt32LE(at)
  let count = 0
  for (let ord = 0; ord < chunkCount; ord++) {
    const [kind, symbol, startLine] = [kindText(), text(), number()]
    const endLine = startLine + number()
    const length = number()
    const next = count + number()
    if (next > items.length) [numbers, items] = [grow(numbers, 2 * next), grow(items, 2 * next)]
    for (; count < next; count++) {
      numbers[count] = number()
      items[count] = packItem(ord, number())
    }
    const from = bytes.length - (chunkCount - ord) * size
    const embedding = bytes.subarray(from, from + size)
    tell({ kind, symbol, startLine, endLine, length, embedding }, ord)
  }
  return { dictionary, numbers, items, count }
}

function isTextAt(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

function grow(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size)
  to.set(from)
  return to
}

/** Numbers take one byte for each seven bits. */
function createWriter() {
  let bytes = Buffer.allocUnsafe(4_096)
  let size = 0
  const reserve = (more: number) => {
    if (size + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(size + more, bytes.length * 2))
    bytes.copy(larger, 0, 0, size)
    bytes = larger
  }
  const number = (value: number) => {
    reserve(5)
    let rest = value
    for (; rest > 127; rest >>>= 7) bytes[size++] = (rest & 127) | 128
    bytes[size++] = rest
  }
  return {
    number,
    text(value: string) {
      const length = Buffer.byteLength(value)
      number(length)
      reserve(length)
      size += bytes.write(value, size)
    },
    take: (): Buffer => bytes.subarray(0, size),
  }
}
