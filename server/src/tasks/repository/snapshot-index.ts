// The list of files that is stored with a snapshot.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkippedFile } from '../types.ts'
import { codeOf } from './error-code.ts'
import { runBatch } from './file-sink.ts'
import type { PlannedFile } from './plan-files.ts'

export type SnapshotIndex = {
  readonly commit: string
  /** By path, sorted. */
  readonly files: ReadonlyMap<string, PlannedFile>
  readonly skipped: readonly SkippedFile[]
  /** The ids of the contents that stand for files in Git LFS. */
  readonly lfs: ReadonlySet<string>
}

type StoredIndex = {
  readonly version: 1
  readonly commit: string
  readonly files: readonly [path: string, sha: string, bytes: number, isExecutable: 0 | 1][]
  readonly skipped: readonly SkippedFile[]
  readonly lfs: readonly string[]
}

const INDEX = 'index.json'
const BYTES = 'bytes'
const PAGE = 4_096

/** The space on disk, as if no file were shared. */
export function diskBytes(files: Iterable<PlannedFile>): number {
  let bytes = 0
  for (const file of files) bytes += Math.ceil((file.bytes + 1) / PAGE) * PAGE
  return bytes
}

export async function writeIndex(folder: string, index: SnapshotIndex): Promise<void> {
  const { commit, files, skipped, lfs } = index
  const stored: StoredIndex = {
    version: 1,
    commit,
    files: [...files.values()].map(({ path, sha, bytes, isExecutable }) => [
      path,
      sha,
      bytes,
      isExecutable ? 1 : 0,
    ]),
    skipped,
    lfs: [...lfs],
  }
  await writeFile(join(folder, BYTES), String(diskBytes(files.values())))
  await writeFile(join(folder, INDEX), JSON.stringify(stored))
}

/** Null if there is none. */
export async function readIndex(folder: string): Promise<SnapshotIndex | null> {
  try {
    const stored = JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as StoredIndex
    if (stored.version !== 1) return null
    const files = stored.files.map(
      ([path, sha, bytes, isExecutable]) =>
        [path, { path, sha, bytes, isExecutable: isExecutable === 1 }] as const,
    )
    const { commit, skipped } = stored
    return { commit, files: new Map(files), skipped, lfs: new Set(stored.lfs) }
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Zero if it is unknown. */
export async function readDiskBytes(folder: string): Promise<number> {
  try {
    return Number(await readFile(join(folder, BYTES), 'utf8')) || 0
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

/** Whether all files are there with their sizes. After a power failure they may not be. */
export async function isComplete(folder: string, { commit, files }: SnapshotIndex): Promise<boolean> {
  const expected = [...files.values()].map(({ path, bytes }) => [path, bytes] as const)
  const results = await runBatch({ kind: 'check', folder, files: expected }, commit)
  return results.every((result) => result === 'done')
}
