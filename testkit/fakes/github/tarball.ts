// Writes archives as GitHub does, and archives that it never would.
import { gzipSync } from 'node:zlib'

export type ArchiveEntry = {
  readonly name: string
  readonly content?: string | Buffer
  /** The type flag: `0` for a file, `2` for a symbolic link, `5` for a folder. */
  readonly type?: string
  readonly link?: string
}

const BLOCK = 512

/** The compressed archive, with a comment in a global header first. */
export const createArchive = (entries: readonly ArchiveEntry[]): Buffer =>
  gzipSync(
    Buffer.concat([
      ...pack({
        name: 'pax_global_header',
        type: 'g',
        content: '52 comment=c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00\n',
      }),
      ...entries.flatMap(pack),
      Buffer.alloc(2 * BLOCK),
    ]),
    { level: 1 },
  )

function pack({ name, content = '', type = '0', link = '' }: ArchiveEntry): Buffer[] {
  const body = Buffer.from(content)
  const bytes = Buffer.from(name)
  const long = bytes.length > 100 ? pack({ name: 'long', type: 'x', content: pathRecord(name) }) : []
  return [
    ...long,
    header(bytes.subarray(0, 100), body.length, type, link),
    body,
    Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK),
  ]
}

/** "<length of this line> path=<name>\n". */
function pathRecord(name: string): string {
  const rest = ` path=${name}\n`
  const bytes = Buffer.byteLength(rest)
  const digits = String(bytes + String(bytes).length).length
  return `${bytes + digits}${rest}`
}

function header(name: Buffer, size: number, type: string, link: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  name.copy(block, 0)
  for (const [at, value, width] of [
    [100, 0o644, 8],
    [108, 0, 8],
    [116, 0, 8],
    [124, size, 12],
    [136, 0, 12],
  ] as const)
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  block.write(type, 156, 'latin1')
  block.write(link, 157, 'utf8')
  block.write('ustar\x0000', 257, 'latin1')
  block.fill(0x20, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}
