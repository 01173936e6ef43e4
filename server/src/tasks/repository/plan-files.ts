// Decides which files of a tree become part of a workspace.
import type { TreeFile } from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import { isCleanPath } from '../../sandbox/sandbox.ts'
import type { SkippedFile } from '../types.ts'
import { ARCHIVE_BYTES_MAX, FILE_BYTES_MAX, FILES_MAX, TOTAL_BYTES_MAX } from './limits.ts'

export type PlannedFile = {
  readonly path: string
  readonly sha: string
  readonly bytes: number
  readonly isExecutable: boolean
}
export type FilePlan = {
  /** By path, sorted. */
  readonly files: ReadonlyMap<string, PlannedFile>
  readonly skipped: readonly SkippedFile[]
  /** Of all files in the tree, with those that are skipped. */
  readonly treeBytes: number
}

const FILE_MODES = new Set(['100644', '100664', '100755'])
const LINK = '120000'
const SUBMODULE = '160000'

/** Throws `repository_too_large`. */
export function planFiles(tree: readonly TreeFile[]): FilePlan {
  const skipped: SkippedFile[] = []
  const planned: PlannedFile[] = []
  let [bytes, treeBytes] = [0, 0]
  const folders = listFolders(tree)
  for (const file of tree) {
    treeBytes += file.bytes
    const reason = skipReason(file, folders)
    if (reason !== null) {
      skipped.push({ path: file.path, reason })
      continue
    }
    bytes += file.bytes
    planned.push({ path: file.path, sha: file.sha, bytes: file.bytes, isExecutable: file.mode === '100755' })
  }
  if (bytes > TOTAL_BYTES_MAX || treeBytes > ARCHIVE_BYTES_MAX) throw tooLarge()
  planned.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files: new Map(planned.map((file) => [file.path, file])), skipped, treeBytes }
}

export const tooLarge = (): ApiError =>
  new ApiError('repository_too_large', { limits: { files: FILES_MAX, bytes: TOTAL_BYTES_MAX } })

function skipReason(
  { path, mode, bytes }: TreeFile,
  folders: ReadonlySet<string>,
): SkippedFile['reason'] | null {
  if (mode === SUBMODULE) return 'submodule'
  if (mode === LINK) return 'link'
  if (!isSafePath(path) || folders.has(path)) return 'unsafe_path'
  if (!FILE_MODES.has(mode)) return 'other'
  return bytes > FILE_BYTES_MAX ? 'too_large' : null
}

/** Files of git are never written: a program that runs in the workspace would obey them. U+FFFD stands for undecodable bytes. */
export const isSafePath = (path: string): boolean =>
  isCleanPath(path) && !path.includes('\ufffd') && !path.split('/').some((name) => GIT_NAMES.test(name))

const GIT_NAMES = /^(\.git|git~\d)[ .]*$/i

function listFolders(tree: readonly TreeFile[]): Set<string> {
  const folders = new Set<string>()
  for (const { path } of tree)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return folders
}
