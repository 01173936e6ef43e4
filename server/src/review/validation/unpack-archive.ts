// Unpacks an untrusted archive in memory. Nothing is written to disk. Anything but a regular file with a clean path makes the
// archive invalid.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { InvalidTar, readTarEntries } from '../../github/github.ts'
import { isCleanPath } from '../../sandbox/sandbox.ts'

export type ArchiveFiles = ReadonlyMap<string, Uint8Array>
export type UnpackResult = { readonly files: ArchiveFiles } | { readonly refused: ArchiveRefusal }
export type ArchiveRefusal =
  | 'archive_unreadable'
  | 'archive_too_large'
  | 'archive_too_many_entries'
  | 'archive_has_links'
  | 'archive_has_bad_paths'

const ENTRIES_MAX = 20_000
/** More than a sandbox accepts. */
const BYTES_MAX = 64 << 20
const RATIO_MAX = 100
/** Small archives are mostly padding, which compresses far better than this ratio. */
const RATIO_FROM_BYTES = 1 << 20

const inflate = promisify(gunzip)

/** Strips the top folder, which GitHub names after the commit. */
export async function unpackArchive(archive: Buffer): Promise<UnpackResult> {
  const maxOutputLength = Math.min(BYTES_MAX, Math.max(RATIO_FROM_BYTES, archive.length * RATIO_MAX))
  let bytes: Buffer
  try {
    bytes = (await inflate(archive, { maxOutputLength })) as Buffer
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return { refused: isTooLarge ? 'archive_too_large' : 'archive_unreadable' }
  }
  try {
    return readArchive(bytes)
  } catch (error) {
    if (error instanceof InvalidTar) return { refused: 'archive_unreadable' }
    throw error
  }
}

function readArchive(bytes: Buffer): UnpackResult {
  const files = new Map<string, Uint8Array>()
  let count = 0
  for (const { type, name, body } of readTarEntries(bytes)) {
    if (++count > ENTRIES_MAX) return { refused: 'archive_too_many_entries' }
    if (type === 'other') return { refused: 'archive_has_links' }
    const path = withoutTopFolder(name)
    if (type === 'folder' && path === '') continue
    if (!isCleanPath(path) || name.startsWith('/')) return { refused: 'archive_has_bad_paths' }
    if (type === 'folder') continue
    // With two files of one name, the result would depend on the unpacking tool.
    if (files.has(path)) return { refused: 'archive_has_bad_paths' }
    files.set(path, body)
  }
  return { files }
}

/** `acme-pay-1a2b3c/src/a.js` becomes `src/a.js`. A name that leaves its folder becomes `..`, which is rejected. */
function withoutTopFolder(name: string): string {
  const [top = '', ...rest] = name.replace(/\/$/, '').split('/')
  return top === '' || top === '.' || top === '..' ? '..' : rest.join('/')
}
