// Packs files into a tar stream. It goes from memory into the sandbox, so no file touches our disk and no link can be
// followed.
import type { Writable } from 'node:stream'

const FILES_MAX = 20_000
const BYTES_MAX = 48 << 20
const PATH_BYTES_MAX = 1_024
const SEGMENTS_MAX = 32
const BLOCK = 512

/** The archive, or the reason why these files are refused. */
export type PackResult = { readonly archive: Buffer } | { readonly refused: string }

export function packFiles(files: ReadonlyMap<string, string | Uint8Array>): PackResult {
  if (files.size > FILES_MAX) return { refused: `more than ${FILES_MAX} files` }
  const parts: Buffer[] = []
  let bytes = 0
  for (const [path, content] of files) {
    if (!isCleanPath(path))
      return { refused: `not a clean relative path: ${JSON.stringify(path.slice(0, 200))}` }
    const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content)
    bytes += body.length
    if (bytes > BYTES_MAX) return { refused: `more than ${BYTES_MAX >> 20} MiB of files` }
    parts.push(...fileEntry(path, body))
  }
  parts.push(ARCHIVE_END)
  return { archive: Buffer.concat(parts) }
}

/** A relative path without `.` or `..` segments and without control characters. */
export function isCleanPath(path: string): boolean {
  const segments = path.split('/')
  return (
    path.length > 0 &&
    path.isWellFormed() &&
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    segments.length <= SEGMENTS_MAX &&
    !/[\u0000-\u001f\u007f\\]/.test(path) &&
    segments.every((name) => name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255)
  )
}

function* fileEntry(path: string, body: Buffer): Generator<Buffer> {
  yield* fileHeader(path, body.length, isScript(body))
  yield* padToBlock(body)
}

/** Everything before the content of a file. */
export function* fileHeader(path: string, bytes: number, isExecutable: boolean): Generator<Buffer> {
  const name = Buffer.from(path, 'utf8')
  if (name.length > 100) yield* longNameEntry(name)
  yield header(name.subarray(0, 100), bytes, isExecutable ? 0o755 : 0o644, '0')
}

/** Scripts are executable. */
export const isScript = (body: Buffer): boolean => body.subarray(0, 2).toString('latin1') === '#!'

/** Zeros from the end of a content to the next block. */
export const paddingOf = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)

/** The end of every archive. */
export const ARCHIVE_END = Buffer.alloc(2 * BLOCK)

/** A long name goes into an extended header before its file: "<length of this line> path=<name>\n". */
function* longNameEntry(name: Buffer): Generator<Buffer> {
  const rest = name.length + ' path=\n'.length
  let length = rest + String(rest).length
  if (String(length).length > String(rest).length) length = rest + String(length).length
  const record = Buffer.concat([Buffer.from(`${length} path=`), name, Buffer.from('\n')])
  yield header(Buffer.from('long-name'), record.length, 0o644, 'x')
  yield* padToBlock(record)
}

function* padToBlock(body: Buffer): Generator<Buffer> {
  yield body
  yield paddingOf(body.length)
}

function header(name: Buffer, size: number, mode: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  name.copy(block, 0)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  block.write(type, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  // The checksum is computed with spaces in its own field.
  block.fill(0x20, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Fails if the files cannot be read. If the sandbox ends first, that is its own affair. */
export async function sendArchive(archive: AsyncIterable<Buffer>, input: Writable): Promise<void> {
  for await (const chunk of archive) {
    if (input.destroyed) return
    if (!input.write(chunk)) await untilDrained(input)
  }
  input.end()
}

const untilDrained = (input: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      input.off('drain', done).off('close', done)
      resolve()
    }
    if (input.destroyed) resolve()
    else input.on('drain', done).on('close', done)
  })
