// The changes of a session as rows and as coloured diffs.
import { rowOf } from '../diff/view.ts'
import type { Toolbox } from '../session/types.ts'
import type { Line } from '../terminal/line.ts'

export type Change = Awaited<ReturnType<Toolbox['changes']>>[number]
export type FileTotal = {
  readonly path: string
  readonly action: 'create' | 'update' | 'delete'
  readonly addedLines: number
  readonly removedLines: number
}

/** One total per file, in the order of the first change. */
export function totalsOf(changes: readonly Pick<Change, 'path' | 'patch'>[]): FileTotal[] {
  const totals = new Map<string, FileTotal>()
  for (const { path, patch } of changes) {
    const one = totalOf(path, patch)
    const before = totals.get(path)
    totals.set(path, before ? sumOf(before, one) : one)
  }
  return [...totals.values()]
}

export const rowsOf = (totals: readonly FileTotal[]): Line[] => totals.map((total) => rowOf(total))

function totalOf(path: string, patch: string): FileTotal {
  const lines = patch.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  const [head, body] = start < 0 ? [lines, []] : [lines.slice(0, start), lines.slice(start)]
  const has = (pattern: RegExp) => head.some((line) => pattern.test(line))
  return {
    path,
    action: has(/^(new file|--- \/dev\/null)/)
      ? 'create'
      : has(/^(deleted file|\+\+\+ \/dev\/null)/)
        ? 'delete'
        : 'update',
    addedLines: body.filter((line) => line.startsWith('+')).length,
    removedLines: body.filter((line) => line.startsWith('-')).length,
  }
}

function sumOf(before: FileTotal, next: FileTotal): FileTotal {
  return {
    path: before.path,
    action: before.action === 'update' ? next.action : before.action,
    addedLines: before.addedLines + next.addedLines,
    removedLines: before.removedLines + next.removedLines,
  }
}
