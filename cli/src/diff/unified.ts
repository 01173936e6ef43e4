// Unified diffs between two states of a file, compatible with git and patch.
import { structuredPatch } from 'diff'

/** The text and executable bit of a file; null when it is absent. */
export type FileText = { readonly text: string; readonly isExecutable: boolean }

export type FileDiff = {
  readonly path: string
  readonly action: 'create' | 'update' | 'delete'
  /** Without line endings; the first lines are the header. */
  readonly lines: readonly string[]
  /** The number of header lines. */
  readonly headLines: number
  readonly addedLines: number
  readonly removedLines: number
}

const CONTEXT_LINES = 3
/** Above this number of changed lines an optimal diff takes too long: print all old lines, then all new ones. */
const EDIT_LENGTH_MAX = 5_000

export function diffOf(
  path: string,
  before: FileText | null,
  after: FileText | null,
  maxEditLength = EDIT_LENGTH_MAX,
): FileDiff {
  const [old, now] = [before?.text ?? '', after?.text ?? '']
  const hunks =
    structuredPatch('', '', old, now, '', '', { context: CONTEXT_LINES, maxEditLength })?.hunks ??
    wholeOf(old, now)
  const head = headOf(path, before, after, hunks.length > 0)
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines,
  ])
  return {
    path,
    action: before ? (after ? 'update' : 'delete') : 'create',
    lines: [...head, ...body],
    headLines: head.length,
    addedLines: body.filter((line) => line.startsWith('+')).length,
    removedLines: body.filter((line) => line.startsWith('-')).length,
  }
}

export const patchOf = (diffs: readonly FileDiff[]): string =>
  diffs.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('')

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }

/** An empty range names the line before it. */
const rangeOf = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`

function headOf(path: string, before: FileText | null, after: FileText | null, hasHunks: boolean): string[] {
  const [old, now] = [quote(`a/${path}`), quote(`b/${path}`)]
  const head = [`diff --git ${old} ${now}`]
  if (!before) head.push(`new file mode ${modeOf(after)}`)
  else if (!after) head.push(`deleted file mode ${modeOf(before)}`)
  else if (before.isExecutable !== after.isExecutable)
    head.push(`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`)
  if (hasHunks)
    head.push(`--- ${before ? old : '/dev/null'}${tab(path)}`, `+++ ${after ? now : '/dev/null'}${tab(path)}`)
  return head
}

const modeOf = (file: FileText | null): string => (file?.isExecutable ? '100755' : '100644')
/** As in git: otherwise text after a space would be read as a date. */
const tab = (path: string): string => (path.includes(' ') ? '\t' : '')
const quote = (path: string): string => (/["\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path)

function wholeOf(old: string, now: string): Hunk[] {
  const [gone, come] = [linesOf(old, '-'), linesOf(now, '+')]
  const count = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('\\')).length
  return [
    { oldStart: 1, oldLines: count(gone), newStart: 1, newLines: count(come), lines: [...gone, ...come] },
  ]
}

function linesOf(text: string, sign: '-' | '+'): string[] {
  if (text === '') return []
  const isEnded = text.endsWith('\n')
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n').map((line) => sign + line)
  return isEnded ? lines : [...lines, '\\ No newline at end of file']
}
