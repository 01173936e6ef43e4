// The difference of a task: each changed file before and after, and as a unified diff.

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { formatPatch, structuredPatch } from 'diff'

export type FileDifference = {
  readonly path: string
  readonly action: 'create' | 'update' | 'delete'
  readonly added: number
  readonly removed: number
  /** Empty for a binary file. */
  readonly patch: string
  readonly isBinary: boolean
  /** The difference was too large to compute: the patch replaces the whole file. */
  readonly isWhole: boolean
  /** Of the content after the change. Null for a deleted file, and where the files are with the caller. */
  readonly sha256: string | null
}

export type ChangedFile = {
  readonly path: string
  readonly before: Buffer | null
  readonly after: string | null
}

/** A buffer arrives on a worker thread as plain bytes. */
export type ComparedFile = Omit<ChangedFile, 'before'> & { readonly before: Uint8Array | null }

export const CONTEXT_LINES = 3
/** More edited lines than this are shown as a replaced file, because the computation is quadratic. */
export const EDITED_LINES_MAX = 2_000

export const sha256Of = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

/** Null where nothing differs. `editsMax`: a file with more edited lines is shown as replaced. */
export function toDifference(
  { path, before: stored, after }: ComparedFile,
  editsMax = EDITED_LINES_MAX,
): FileDifference | null {
  if (stored === null && after === null) return null
  const before = stored && Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const action = before === null ? 'create' : after === null ? 'delete' : 'update'
  const sha256 = after === null ? null : sha256Of(after)
  if (before && !isText(before)) {
    if (after !== null && before.equals(Buffer.from(after))) return null
    return { path, action, added: 0, removed: 0, patch: '', isBinary: true, isWhole: false, sha256 }
  }
  const old = before?.toString('utf8') ?? ''
  const now = after ?? ''
  if (action === 'update' && old === now) return null
  const names = [
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
  ] as const
  const options = { context: CONTEXT_LINES, maxEditLength: editsMax }
  const compared = structuredPatch(...names, old, now, undefined, undefined, options)
  if (!compared) return { ...wholeReplacement(path, action, names, old, now), sha256 }
  const lines = compared.hunks.flatMap((hunk) => hunk.lines)
  const patch = formatPatch(compared)
  return {
    path,
    action,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    patch: gitHeader(path, action) + withoutRule(patch),
    isBinary: false,
    isWhole: false,
    sha256,
  }
}

/** All lines out, all lines in. */
function wholeReplacement(
  path: string,
  action: FileDifference['action'],
  names: readonly [string, string],
  old: string,
  now: string,
): Omit<FileDifference, 'sha256'> {
  const [gone, come] = [toLines(old), toLines(now)]
  const part = (sign: string, { lines, hasEnd }: Lines) =>
    lines.map((line) => `${sign}${line}\n`).join('') +
    (hasEnd || lines.length === 0 ? '' : '\\ No newline at end of file\n')
  const range = (count: number) => `${count === 0 ? 0 : 1},${count}`
  const hunk = `@@ -${range(gone.lines.length)} +${range(come.lines.length)} @@\n`
  return {
    path,
    action,
    added: come.lines.length,
    removed: gone.lines.length,
    patch: `${gitHeader(path, action)}--- ${names[0]}\n+++ ${names[1]}\n${hunk}${part('-', gone)}${part('+', come)}`,
    isBinary: false,
    isWhole: true,
  }
}

type Lines = { readonly lines: readonly string[]; readonly hasEnd: boolean }

function toLines(text: string): Lines {
  const hasEnd = text.endsWith('\n')
  const lines = text === '' ? [] : (hasEnd ? text.slice(0, -1) : text).split('\n')
  return { lines, hasEnd }
}

const gitHeader = (path: string, action: FileDifference['action']): string =>
  `diff --git a/${path} b/${path}\n${MODES[action]}`
const MODES = { create: 'new file mode 100644\n', delete: 'deleted file mode 100644\n', update: '' } as const

/** The library begins with a line of equal signs, which git does not have. */
const withoutRule = (patch: string): string => patch.replace(/^={3,}\n/, '')

export const isText = (content: Buffer): boolean => !content.includes(0) && isUtf8(content)
