// Reads a JSON file in pieces, because a data export can be larger than the memory.
import { closeSync, openSync, readSync } from 'node:fs'
import { fromJson } from '@cowrie/sdk'

/** A field of the object in the file: its whole value, or one element of its list. */
export type Piece = { readonly key: string; readonly value: unknown }
/** How to read a field. Null skips it. */
export type FieldMode = 'whole' | 'elements' | null

export type ReadOptions = {
  readonly chunkBytes?: number
  /** Of a piece. */
  readonly bytesMax?: number
}

const [QUOTE, BACKSLASH, COLON, COMMA, SPACE] = [0x22, 0x5c, 0x3a, 0x2c, 0x20]
const [BRACE, BRACKET] = [0x7b, 0x5b]
const isOpening = (byte: number): boolean => byte === BRACE || byte === BRACKET
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d

/** Throws a SyntaxError for a file that is no JSON object, that has a field twice, or that ends too early. */
export function* readPieces(
  path: string,
  modeOf: (key: string) => FieldMode,
  { chunkBytes = 1024 * 1024, bytesMax = 1024 * 1024 }: ReadOptions = {},
): Generator<Piece> {
  const scanner = new Scanner(modeOf, bytesMax)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const length = readSync(file, chunk, 0, chunkBytes, null)
      if (length === 0) break
      yield* scanner.read(chunk.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
  scanner.end()
}

/** Follows strings and brackets. Only the pieces are parsed. */
class Scanner {
  readonly #modeOf: (key: string) => FieldMode
  readonly #bytesMax: number
  readonly #keys = new Set<string>()
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasEnded = false
  /** The field that is being read; null before its colon. */
  #key: string | null = null
  #reading: FieldMode | 'key' = null
  #isList = false
  #parts: Buffer[] = []
  #bytes = 0
  /** Where the part of the piece in this chunk begins; -1 outside of pieces. */
  #begin = -1

  constructor(modeOf: (key: string) => FieldMode, bytesMax: number) {
    this.#modeOf = modeOf
    this.#bytesMax = bytesMax
  }

  *read(chunk: Buffer): Generator<Piece> {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
      } else if (byte === QUOTE && this.#depth > 0) this.#isInString = true
      else if (this.#depth > 2 || (this.#depth === 2 && isOpening(byte))) {
        if (isOpening(byte)) this.#depth += 1
        else if (isClosing(byte)) this.#depth -= 1
      } else if (byte > SPACE) yield* this.#structure(chunk, byte, at)
    }
    if (this.#begin < 0) return
    this.#keep(chunk.subarray(this.#begin))
    this.#begin = 0
  }

  end(): void {
    if (!this.#hasEnded) throw new SyntaxError('it ends too early')
  }

  /** A character of the object itself, or of the list that is one of its fields. */
  *#structure(chunk: Buffer, byte: number, at: number): Generator<Piece> {
    if (this.#hasEnded) throw new SyntaxError('it has text after its end')
    if (this.#depth === 0) {
      if (byte !== BRACE) throw new SyntaxError('it is no object')
      this.#depth = 1
      this.#start('key', at)
    } else if (this.#depth === 1) yield* this.#inObject(chunk, byte, at)
    else if (isClosing(byte)) {
      if (this.#isList) yield* this.#take(chunk, at, true)
      this.#depth = 1
    } else if (byte === COMMA && this.#isList) {
      yield* this.#take(chunk, at)
      this.#start('elements', at)
    }
  }

  *#inObject(chunk: Buffer, byte: number, at: number): Generator<Piece> {
    if (byte === COLON && this.#key === null) {
      this.#key = this.#readKey(chunk, at)
      this.#isList = false
      this.#start(this.#modeOf(this.#key), at)
    } else if (isOpening(byte)) {
      if (this.#key === null) throw new SyntaxError('it has a field without a name')
      this.#depth = 2
      if (this.#reading === 'elements') this.#startList(chunk, byte, at)
    } else if (byte === COMMA) {
      yield* this.#endField(chunk, at)
      this.#start('key', at)
    } else if (isClosing(byte)) {
      yield* this.#endField(chunk, at)
      this.#depth = 0
      this.#hasEnded = true
    }
  }

  #startList(chunk: Buffer, byte: number, at: number): void {
    if (byte !== BRACKET || this.#isList || this.#text(chunk, at).trim() !== '')
      throw new SyntaxError(`its field ${this.#key} is no list`)
    this.#isList = true
    this.#start('elements', at)
  }

  #start(reading: FieldMode | 'key', at: number): void {
    this.#reading = reading
    this.#parts = []
    this.#bytes = 0
    this.#begin = reading === null ? -1 : at + 1
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#bytesMax) throw new SyntaxError('it has a value that is too long')
    this.#parts.push(part)
  }

  #text(chunk: Buffer, at: number): string {
    this.#keep(chunk.subarray(this.#begin, at))
    this.#begin = -1
    return Buffer.concat(this.#parts).toString('utf8')
  }

  #readKey(chunk: Buffer, at: number): string {
    const key: unknown = JSON.parse(this.#text(chunk, at))
    if (typeof key !== 'string') throw new SyntaxError('it has a field without a name')
    // Readers differ in which one counts.
    if (this.#keys.has(key)) throw new SyntaxError(`it has the field ${key} twice`)
    this.#keys.add(key)
    return key
  }

  *#take(chunk: Buffer, at: number, mayBeEmpty = false): Generator<Piece> {
    const text = this.#text(chunk, at)
    if (mayBeEmpty && text.trim() === '') return
    yield { key: this.#key ?? '', value: fromJson(text) }
  }

  *#endField(chunk: Buffer, at: number): Generator<Piece> {
    const isEmptyObject = this.#keys.size === 0 && chunk[at] !== COMMA
    if (this.#key === null && !(isEmptyObject && this.#text(chunk, at).trim() === ''))
      throw new SyntaxError('it has a field without a value')
    if (this.#reading === 'whole') yield* this.#take(chunk, at)
    if (this.#reading === 'elements' && !this.#isList)
      throw new SyntaxError(`its field ${this.#key} is no list`)
    this.#key = null
  }
}
