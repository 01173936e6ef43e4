// Reads the entries of a tar archive from a stream, with no more than one piece of it in memory.
import { BLOCK, InvalidTar, paddedSize, readHeader, readNextName, type TarEntryType } from './tar-header.ts'

export type StreamedEntry = {
  readonly type: TarEntryType
  readonly name: string
  readonly size: number
  /** The whole body. For small entries. */
  read(): Promise<Buffer>
  /** The body in pieces. */
  pieces(): AsyncGenerator<Buffer>
}

const RECORD_BYTES_MAX = 64 * 1024

/** The body of an entry can be read until the next entry is requested. Unread parts are skipped. */
export async function* streamTarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<StreamedEntry> {
  const reader = new ByteReader(source)
  let longName: string | null = null
  for (;;) {
    const block = await reader.read(BLOCK)
    const header = block.length === 0 ? null : readHeader(block)
    // The rest is padding. It is read, so that the end of the stream is seen.
    if (header === null) return await reader.skipAll()
    const { role, size, type } = header
    const end = reader.position + paddedSize(size)
    if (role === 'entry') {
      const left = () => reader.requireBefore(end - (paddedSize(size) - size))
      yield {
        type,
        name: longName ?? header.name,
        size,
        read: () => reader.read(left()),
        pieces: () => reader.pieces(left()),
      }
      longName = null
    } else if (size > RECORD_BYTES_MAX) throw new InvalidTar('a record is too long')
    else longName = readNextName(role, await reader.read(size)) ?? longName
    await reader.skipTo(end)
  }
}

class ByteReader {
  position = 0
  private rest: Buffer = Buffer.alloc(0)
  private readonly source: AsyncIterator<Buffer>

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** Exactly this many bytes; none at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    if (this.rest.length >= size) return this.take(size)
    const parts: Buffer[] = []
    let missing = size
    for await (const piece of this.pieces(size, 'may end')) {
      parts.push(piece)
      missing -= piece.length
    }
    if (missing > 0 && missing < size) throw new InvalidTar('it ends inside an entry')
    return Buffer.concat(parts)
  }

  async *pieces(size: number, atEnd?: 'may end'): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      if (this.rest.length === 0 && !(await this.pull())) {
        if (atEnd) return
        throw new InvalidTar('it ends inside an entry')
      }
      const piece = this.take(Math.min(missing, this.rest.length))
      missing -= piece.length
      yield piece
    }
  }

  async skipTo(position: number): Promise<void> {
    while (this.position < position) {
      if (this.rest.length === 0 && !(await this.pull())) throw new InvalidTar('it ends inside an entry')
      this.take(Math.min(position - this.position, this.rest.length))
    }
  }

  async skipAll(): Promise<void> {
    do this.take(this.rest.length)
    while (await this.pull())
  }

  /** The bytes up to a position. */
  requireBefore(position: number): number {
    if (this.position > position) throw new Error('the next entry was already requested')
    return position - this.position
  }

  private take(size: number): Buffer {
    const taken = this.rest.subarray(0, size)
    this.rest = this.rest.subarray(size)
    this.position += size
    return taken
  }

  private async pull(): Promise<boolean> {
    for (;;) {
      const next = await this.source.next()
      if (next.done) return false
      if (next.value.length === 0) continue
      this.rest = next.value
      return true
    }
  }
}
