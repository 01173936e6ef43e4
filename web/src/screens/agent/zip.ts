// An uncompressed zip archive. Pure.

export function zipOf(
  files: readonly { path: string; content: string }[],
  at: Date,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder()
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, content } of files) {
    const [name, bytes] = [text.encode(path), text.encode(content)]
    // Version 2.0, names in UTF-8, no compression.
    const facts = [
      [20, 2],
      [0x0800, 2],
      [0, 2],
      [timeOf(at), 2],
      [dateOf(at), 2],
      [crc32(bytes), 4],
    ] as const
    const sizes = [
      [bytes.length, 4],
      [bytes.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const local = packed([[0x04034b50, 4], ...facts, ...sizes])
    directory.push(
      packed([[0x02014b50, 4], [20, 2], ...facts, ...sizes, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]),
      name,
    )
    parts.push(local, name, bytes)
    offset += local.length + name.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = packed([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ])
  return joined([...parts, ...directory, end])
}

/** Little-endian integers, each with its number of bytes. */
function packed(fields: readonly (readonly [value: number, bytes: number])[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 0xff)),
  )
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const timeOf = (at: Date): number => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
const dateOf = (at: Date): number =>
  ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ -1) >>> 0
}
