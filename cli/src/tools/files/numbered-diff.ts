// A diff for the terminal, with the line numbers of the file after the change, or before it for removed lines.
import type { FileDiff } from '../../diff/unified.ts'
import { dim, type Line, type Style, verbatim } from '../../terminal/line.ts'

const LINES_MAX = 200

export function numberedDiff({ lines, headLines }: FileDiff, linesMax = LINES_MAX): Line[] {
  const body = lines.slice(headLines)
  const width = String(Math.max(...body.flatMap(startsOf), 1) + body.length).length
  const shown: Line[] = []
  let [old, now] = [0, 0]
  for (const line of body.slice(0, linesMax)) {
    const starts = startsOf(line)
    if (starts.length > 0) {
      if (shown.length > 0) shown.push([dim(`${' '.repeat(width)} …`)])
      ;[old = 0, now = 0] = starts
      continue
    }
    const sign = line[0] ?? ' '
    if (sign === '\\') shown.push([dim(`${' '.repeat(width)} no line end at the end of the file`)])
    else shown.push(row(sign === '-' ? old : now, width, line))
    if (sign !== '+' && sign !== '\\') old += 1
    if (sign !== '-' && sign !== '\\') now += 1
  }
  const more = body.length - linesMax
  if (more > 0) shown.push([dim(`… ${more} more ${more === 1 ? 'line' : 'lines'}`)])
  return shown
}

const STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red' }

function row(number: number, width: number, line: string): Line {
  const style = STYLES[line[0] ?? '']
  return [dim(`${String(number).padStart(width)} `), verbatim(line.replace(/\r$/, ''), style)]
}

/** The first line numbers of a hunk. */
function startsOf(line: string): number[] {
  const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? []
  return old === undefined || now === undefined ? [] : [Number(old), Number(now)]
}
