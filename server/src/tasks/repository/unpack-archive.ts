// Unpacks the archive of a commit. The tree says which files there are and what they contain. The archive only brings their
// bytes: an entry that the tree does not name is never written, and one with another content is left for a later request.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { GithubUnavailable, InvalidTar, type StreamedEntry, streamTarEntries } from '../../github/github.ts'
import { codeOf } from './error-code.ts'
import { type FileSink, SMALL_BYTES_MAX } from './file-sink.ts'
import { ARCHIVE_BYTES_MAX, ARCHIVE_ENTRIES_MAX, ARCHIVE_RATIO_MAX } from './limits.ts'
import { type FilePlan, isSafePath, tooLarge } from './plan-files.ts'

/** GitHub never makes such an archive. */
export class HostileArchive extends GithubUnavailable {
  constructor(reason: string) {
    super(`an archive: ${reason}`)
  }
}

const CHUNK_BYTES = 256 * 1_024
/** Headers and padding of an entry, with a long name. */
const ENTRY_OVERHEAD = 4 * 1_024
const SLACK_BYTES = 1 << 20

type Unpacking = {
  readonly sink: FileSink
  /** Paths that the tree has and the workspace does not. */
  readonly skipped: ReadonlySet<string>
  readonly seen: Set<string>
}

/** Gives the contents of the archive to the sink. */
export async function unpackArchive(archive: Readable, plan: FilePlan, sink: FileSink): Promise<void> {
  const skipped = new Set(plan.skipped.map(({ path }) => path))
  const unpacking = { sink, skipped, seen: new Set<string>() }
  const received = { bytes: 0 }
  try {
    await pipeline(
      archive,
      (source: AsyncIterable<Buffer>) => counted(source, received),
      createGunzip({ chunkSize: CHUNK_BYTES }),
      async (source: AsyncIterable<Buffer>) => {
        let entries = 0
        for await (const entry of streamTarEntries(bound(source, plan, received))) {
          if (++entries > ARCHIVE_ENTRIES_MAX) throw tooLarge()
          await unpackEntry(unpacking, entry)
        }
      },
    )
  } catch (error) {
    if (error instanceof InvalidTar || isZlibError(error))
      throw new GithubUnavailable('an archive: it is damaged', error)
    throw error
  } finally {
    await sink.flush()
  }
}

const isZlibError = (error: unknown): boolean => /^(Z_|ERR_ZLIB)/.test(codeOf(error))

async function* counted(source: AsyncIterable<Buffer>, received: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    received.bytes += piece.length
    if (received.bytes > ARCHIVE_BYTES_MAX) throw tooLarge()
    yield piece
  }
}

/** Refuses archives that grow far beyond the tree. */
async function* bound(
  source: AsyncIterable<Buffer>,
  { files, skipped, treeBytes }: FilePlan,
  received: { readonly bytes: number },
): AsyncGenerator<Buffer> {
  const explained = treeBytes + (files.size + skipped.length) * 2 * ENTRY_OVERHEAD + SLACK_BYTES
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > explained) {
      if (bytes > received.bytes * ARCHIVE_RATIO_MAX) throw new HostileArchive('it grows without end')
      if (bytes > ARCHIVE_BYTES_MAX) throw tooLarge()
    }
    yield piece
  }
}

async function unpackEntry(unpacking: Unpacking, entry: StreamedEntry): Promise<void> {
  const { sink, skipped, seen } = unpacking
  const path = withoutTopFolder(entry.name)
  if (entry.type === 'folder' && (path === '' || skipped.has(path))) return
  // Undecodable names differ between the tree and the archive.
  if (skipped.has(path) || path.includes('\ufffd')) return
  if (entry.name.startsWith('/') || !isSafePath(path)) throw new HostileArchive('an entry leaves its folder')
  if (entry.type === 'other') throw new HostileArchive('an entry is a link that the tree does not have')
  if (entry.type === 'folder') return
  if (seen.has(path)) throw new HostileArchive('two entries have one name')
  seen.add(path)
  const file = sink.wanted.get(path)
  if (!file || file.bytes !== entry.size) return
  if (file.bytes > SMALL_BYTES_MAX) await sink.acceptPieces(file, entry.pieces())
  else await sink.accept(file, await entry.read())
}

/** `acme-pay-1a2b3c/src/a.js` becomes `src/a.js`. A name without a top folder becomes `..`, which is refused. */
function withoutTopFolder(name: string): string {
  const [top = '', ...rest] = name.replace(/\/$/, '').split('/')
  return top === '' || top === '.' || top === '..' ? '..' : rest.join('/')
}
