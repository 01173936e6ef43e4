// Packs files into a zip archive without compression. The same files give the same bytes.
import { crc32 } from 'node:zlib'
import type { Files } from './task.ts'

// 1 January 1980, the first date of the format.
const DATE = 0x21

export function zipOf(files: Files): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, body] = [Buffer.from(path), Buffer.from(text)]
    const common = commonFields(name, body)
    const local = Buffer.concat([bytes(4, 0x04034b50), common, name, body])
    // The comment, the disk, both attributes and the position follow.
    const rest = Buffer.concat([Buffer.alloc(10), bytes(4, offset)])
    directory.push(Buffer.concat([bytes(4, 0x02014b50), bytes(2, 20), common, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const count = bytes(2, directory.length)
  const end = [
    bytes(4, 0x06054b50),
    Buffer.alloc(4),
    count,
    count,
    bytes(4, index.length),
    bytes(4, offset),
    bytes(2, 0),
  ]
  return Buffer.concat([...parts, index, ...end])
}

/** From the version to the length of the extra field. */
const commonFields = (name: Buffer, body: Buffer): Buffer =>
  Buffer.concat([
    bytes(2, 20),
    bytes(2, 0),
    bytes(2, 0),
    bytes(2, 0),
    bytes(2, DATE),
    bytes(4, crc32(body)),
    bytes(4, body.length),
    bytes(4, body.length),
    bytes(2, name.length),
    bytes(2, 0),
  ])

function bytes(size: 2 | 4, value: number): Buffer {
  const field = Buffer.alloc(size)
  field.writeUIntLE(value, 0, size)
  return field
}
