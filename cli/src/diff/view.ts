// A diff for people, with colours and totals. Control characters of files never reach the terminal.
import { dim, green, type Line, red, type Style, verbatim } from '../terminal/line.ts'
import type { FileDiff } from './unified.ts'

type Totals = { readonly addedLines: number; readonly removedLines: number }

export function viewOf(diff: FileDiff): Line[] {
  return diff.lines.map((line, index) => [verbatim(line, index < diff.headLines ? 'bold' : styleOf(line))])
}

const STYLES: Readonly<Record<string, Style>> = { '@': 'cyan', '+': 'green', '-': 'red', '\\': 'dim' }
const styleOf = (line: string): Style | undefined => STYLES[line[0] ?? '']

/** One line per file: the action and the line counts. `remark` follows, such as "merged". */
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
