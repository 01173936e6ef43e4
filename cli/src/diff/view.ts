// A diff for people: coloured where the terminal can, with totals. Text of files never reaches the terminal as it is.
import { bold, cyan, dim, green, type Line, red } from '../terminal/line.ts'
import type { FileDiff } from './unified.ts'

type Totals = { readonly addedLines: number; readonly removedLines: number }

export function viewOf(diff: FileDiff): Line[] {
  return diff.lines.map((line, index) => {
    if (index < diff.headLines) return [bold(line)]
    if (line.startsWith('@@')) return [cyan(line)]
    if (line.startsWith('+')) return [green(line)]
    if (line.startsWith('-')) return [red(line)]
    return line.startsWith('\\') ? [dim(line)] : line
  })
}

/** One line for a file: what happens to it, and how much. `remark` follows, such as that it was merged. */
export function rowOf(diff: Pick<FileDiff, 'path' | 'action'> & Totals, remark = ''): Line {
  return [
    `${MARKS[diff.action]} ${diff.path}  `,
    green(`+${diff.addedLines}`),
    ' ',
    red(`-${diff.removedLines}`),
    remark === '' ? '' : dim(`  ${remark}`),
  ]
}

const MARKS = { create: 'A', update: 'M', delete: 'D' } as const

/** "3 files, +12 -4" */
export function totalsOf(files: readonly Totals[]): string {
  const sum = (of: keyof Totals) => files.reduce((total, file) => total + file[of], 0)
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${sum('addedLines')} -${sum('removedLines')}`
}
