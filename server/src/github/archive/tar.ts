// Reads the entries of a tar archive in memory.
import { BLOCK, InvalidTar, paddedSize, readHeader, readNextName, type TarEntryType } from './tar-header.ts'

export type TarEntry = {
  readonly type: TarEntryType
  readonly name: string
  readonly body: Uint8Array
}

export function* readTarEntries(bytes: Buffer): Generator<TarEntry> {
  let longName: string | null = null
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = readHeader(bytes.subarray(at, at + BLOCK))
    if (header === null) return
    const { role, size, type } = header
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length < size) throw new InvalidTar('it ends inside a file')
    at += BLOCK + paddedSize(size)
    if (role === 'entry') {
      yield { type, name: longName ?? header.name, body: type === 'file' ? body : new Uint8Array() }
      longName = null
    } else longName = readNextName(role, body) ?? longName
  }
}
