// Worker task: many small operations on files. In the main thread each of them would wait for the file system several times.
import { hash } from 'node:crypto'
import { constants, copyFileSync, linkSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './error-code.ts'

export type FileBatch =
  | { readonly kind: 'folders'; readonly folder: string; readonly paths: readonly string[] }
  | { readonly kind: 'write'; readonly folder: string; readonly files: readonly NewFile[] }
  | { readonly kind: 'link'; readonly folder: string; readonly links: readonly NewLink[] }
  | {
      readonly kind: 'check'
      readonly folder: string
      readonly files: readonly (readonly [path: string, bytes: number])[]
    }
export type NewFile = {
  readonly path: string
  /** The id that git gives to the content. */
  readonly sha: string
  readonly isExecutable: boolean
  readonly content: Uint8Array
}
export type NewLink = { readonly path: string; readonly source: string }

/**
 * `lfs`: the content stands for a file in Git LFS and was not written. `mismatch`: it has another id. `failed`: there is no
 * source, or the path is taken, as `A` is by `a` where the file system ignores case.
 */
export type FileResult = 'done' | 'lfs' | 'mismatch' | 'failed'

const LFS_POINTER_BYTES_MAX = 1_024
const LFS_POINTER = 'version https://git-lfs.github.com/spec/'

/** One result per item, in their order. */
export function run(batch: FileBatch): FileResult[] {
  const { folder } = batch
  if (batch.kind === 'write') return batch.files.map((file) => write(folder, file))
  if (batch.kind === 'link') return batch.links.map((each) => link(folder, each))
  if (batch.kind === 'check') return batch.files.map(([path, bytes]) => check(join(folder, path), bytes))
  for (const path of batch.paths) mkdirSync(join(folder, path), { recursive: true })
  return []
}

function write(folder: string, { path, sha, isExecutable, content }: NewFile): FileResult {
  if (blobId(content) !== sha) return 'mismatch'
  if (isLfsPointer(content)) return 'lfs'
  return attempt(() =>
    writeFileSync(join(folder, path), content, { flag: 'wx', mode: fileMode(isExecutable) }),
  )
}

function link(folder: string, { path, source }: NewLink): FileResult {
  const target = join(folder, path)
  try {
    return attempt(() => linkSync(source, target))
  } catch (error) {
    // The file has as many links as the file system allows, or it allows none.
    if (!['EMLINK', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
    return attempt(() => copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
  }
}

function check(path: string, bytes: number): FileResult {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() && found.size === bytes ? 'done' : 'failed'
}

function attempt(work: () => void): FileResult {
  try {
    work()
    return 'done'
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return 'failed'
    throw error
  }
}

/** Files are never writable, because snapshots share them by hard links. */
export const fileMode = (isExecutable: boolean): number => (isExecutable ? 0o555 : 0o444)
export const blobHeader = (bytes: number): string => `blob ${bytes}\0`
const blobId = (content: Uint8Array): string =>
  hash('sha1', Buffer.concat([Buffer.from(blobHeader(content.length)), content]), 'hex')
const isLfsPointer = (content: Uint8Array): boolean =>
  content.length <= LFS_POINTER_BYTES_MAX &&
  Buffer.from(content).toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER
