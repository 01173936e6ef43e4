// Collects protocol messages in one buffer, so that those of one tick leave in one write.
import type { Parameter } from './parameters.ts'

const START_BYTES = 4_096
/** A buffer that grew beyond this size is not reused. */
const REUSED_BYTES_MAX = 65_536
/** UTF-8 needs at most three bytes per UTF-16 code unit. The exact size is computed for long texts only. */
const bytesFor = (text: string): number => (text.length < 1_024 ? text.length * 3 : Buffer.byteLength(text))

const [QUERY, PARSE, BIND, DESCRIBE, CLOSE] = [0x51, 0x50, 0x42, 0x44, 0x43]
const STATEMENT = 0x53
/** Execute of the unnamed portal without a row limit, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

export class MessageBuffer {
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #length = 0

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Runs `write`. When it throws, the buffer is restored. */
  writeAtomically(write: () => void): void {
    const start = this.#length
    try {
      write()
    } catch (error) {
      this.#length = start
      throw error
    }
  }

  /** Returns the collected bytes and empties the buffer. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    if (this.#bytes.length > REUSED_BYTES_MAX) this.#bytes = Buffer.allocUnsafe(START_BYTES)
    return taken
  }

  /** One or several statements without parameters, in the simple protocol. */
  query(text: string): void {
    const start = this.#begin(QUERY)
    this.#cstring(text)
    this.#end(start)
  }

  parse(name: string, text: string, types: readonly number[]): void {
    const start = this.#begin(PARSE)
    this.#cstring(name)
    this.#cstring(text)
    this.#int16(types.length)
    for (const type of types) this.#int32(type)
    this.#end(start)
  }

  bind(name: string, values: readonly Parameter[]): void {
    const start = this.#begin(BIND)
    this.#cstring('')
    this.#cstring(name)
    const hasBytes = values.some((value) => value instanceof Uint8Array)
    this.#int16(hasBytes ? values.length : 0)
    if (hasBytes) for (const value of values) this.#int16(value instanceof Uint8Array ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    // All result columns in text format.
    this.#int16(0)
    this.#end(start)
  }

  describe(name: string): void {
    this.#statementMessage(DESCRIBE, name)
  }

  /** Closing a statement that does not exist is no error. */
  close(name: string): void {
    this.#statementMessage(CLOSE, name)
  }

  executeAndSync(): void {
    this.#reserve(EXECUTE_AND_SYNC.length)
    this.#bytes.set(EXECUTE_AND_SYNC, this.#length)
    this.#length += EXECUTE_AND_SYNC.length
  }

  #statementMessage(type: number, name: string): void {
    const start = this.#begin(type)
    this.#reserve(1)
    this.#bytes[this.#length++] = STATEMENT
    this.#cstring(name)
    this.#end(start)
  }

  /** Leaves room for the length, which `#end` fills in. */
  #begin(type: number): number {
    this.#reserve(5)
    this.#bytes[this.#length++] = type
    this.#length += 4
    return this.#length - 4
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start)
  }

  #value(value: Parameter): void {
    if (value === null) {
      this.#int32(-1)
      return
    }
    this.#reserve(4 + (typeof value === 'string' ? bytesFor(value) : value.length))
    const start = this.#length + 4
    if (typeof value !== 'string') this.#bytes.set(value, start)
    const written = typeof value === 'string' ? this.#bytes.write(value, start) : value.length
    this.#bytes.writeInt32BE(written, this.#length)
    this.#length = start + written
  }

  /** A zero-terminated text. */
  #cstring(text: string): void {
    this.#reserve(bytesFor(text) + 1)
    this.#length += this.#bytes.write(text, this.#length)
    this.#bytes[this.#length++] = 0
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#length = this.#bytes.writeUInt16BE(value, this.#length)
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeInt32BE(value, this.#length)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
