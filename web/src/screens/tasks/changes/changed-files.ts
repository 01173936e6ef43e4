// The changed files of a task as the panel shows them.
import type { TaskDiff, TaskFileDiff } from '@cowrie/sdk'
import { msg } from '../../../i18n/t.ts'
import type { Hunk } from '../../../ui/diff/diff.ts'
import { parsePatch } from '../../../ui/diff/parse-patch.ts'

export type ChangedFile = {
  path: string
  /** A client workspace reports each change of a file, so a path alone is not unique. */
  id: string
  state: 'created' | 'edited' | 'deleted' | 'renamed'
  renamedFrom: string | null
  isBinary: boolean
  /** The comparison was too large: one hunk replaces the file. */
  isWhole: boolean
  added: number
  removed: number
  hunks: readonly Hunk[]
  sha256: string | null
  patch: string
  /** False where the files are on the machine of the caller. */
  isStored: boolean
}

const STATES = { create: 'created', update: 'edited', delete: 'deleted' } as const

export const STATE_TEXTS: Readonly<Record<ChangedFile['state'], string>> = {
  created: msg('new'),
  edited: msg('edited'),
  deleted: msg('deleted'),
  renamed: msg('renamed'),
}

const known = new WeakMap<TaskFileDiff, ChangedFile>()

export function changedFiles(files: readonly TaskFileDiff[]): ChangedFile[] {
  const seen = new Map<string, number>()
  return files.map((file) => {
    const n = (seen.get(file.path) ?? 0) + 1
    seen.set(file.path, n)
    const before = known.get(file)
    if (before) return before
    const { hunks, renamedFrom, isBinary } = parsePatch(file.patch)
    const changed: ChangedFile = {
      ...file,
      id: n === 1 ? file.path : `${file.path} ${n}`,
      state: renamedFrom === null ? STATES[file.action] : 'renamed',
      renamedFrom,
      isBinary: file.isBinary || isBinary,
      hunks,
      isStored: file.sha256 !== null || file.action === 'delete',
    }
    known.set(file, changed)
    return changed
  })
}

/** Names a hunk by its lines, so that a mark stays where the same change moves to another line. */
export function hunkMark(path: string, { lines }: Hunk): string {
  let hash = 2_166_136_261
  for (const { kind, text } of lines) {
    if (kind === 'same') continue
    for (let i = -1; i < text.length; i++)
      hash = Math.imul(hash ^ (i < 0 ? kind.length : text.charCodeAt(i)), 16_777_619)
  }
  return `${path} ${(hash >>> 0).toString(36)}`
}

/** A patch for `git apply`. */
export const patchOf = (files: readonly ChangedFile[]): string =>
  files.map(({ patch }) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`)).join('')

/** The reply has the new differences of the files that it changed. */
export function merged(
  diff: TaskDiff,
  reply: { changed: readonly string[]; files: readonly TaskFileDiff[]; change: number },
): TaskDiff {
  const now = new Map(reply.files.map((file) => [file.path, file]))
  const files = diff.files.flatMap((file) =>
    reply.changed.includes(file.path) ? (now.get(file.path) ?? []) : file,
  )
  const sum = (count: (file: TaskFileDiff) => number) => files.reduce((all, file) => all + count(file), 0)
  return {
    ...diff,
    files,
    change: reply.change,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  }
}
