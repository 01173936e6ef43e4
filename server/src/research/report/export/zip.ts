// Packs files into a ZIP archive, as office documents need it. The same files give the same bytes.
import { crc32, deflateRawSync } from 'node:zlib'

export type PackedFile = { readonly name: string; readonly text: string }

/** 1 January 1980, the first day of the format. */
const DATE = 0x21
const DEFLATE = 8
const UTF8_NAMES = 0x0800

export function packZip(files: readonly PackedFile[]): Uint8Array {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, text } of files) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const packed = deflateRawSync(bytes)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(UTF8_NAMES, 2)
    about.writeUInt16LE(DEFLATE, 4)
    about.writeUInt16LE(DATE, 8)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(bytes.length, 18)
    about.writeUInt16LE(path.length, 22)
    bodies.push(signature(0x04034b50), about, path, packed)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    entries.push(signature(0x02014b50), u16(20), about, place, path)
    offset += 4 + about.length + path.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return new Uint8Array(Buffer.concat([...bodies, directory, signature(0x06054b50), end]))
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
