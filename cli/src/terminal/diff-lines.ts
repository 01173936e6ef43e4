// A unified diff for people: line numbers, signs and colours.
import { bold, dim, type Line, type Span, type Style, verbatim } from './line.ts'
import { visiblePath } from './visible.ts'

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/
const FILE = /^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/
const TARGET = /^\+\+\+ (?:"?b\/)?(.*?)"?\t?$/
/** These say something; the rest of a header repeats the path. */
const REMARK = /^(?:new file|deleted file|old mode|new mode|rename|Binary)/
const MODE = /^(?:old mode|new mode|rename|Binary)/

export type DiffOptions = {
  /** The path before each file. */
  readonly hasPath?: boolean
  readonly linesMax?: number
}

/** Numbers are those of the file after the change, or before it for removed lines. */
export function diffLines(
  patch: string | readonly string[],
  { hasPath = true, linesMax = Number.POSITIVE_INFINITY }: DiffOptions = {},
): Line[] {
  const lines = typeof patch === 'string' ? patch.replace(/\n$/, '').split('\n') : patch
  const width = String(lastNumber(lines)).length
  const shown: Line[] = []
  let [old, now] = [0, 0]
  let path = ''
  let isBody = false
  let left = linesMax

  const name = (found: string) => {
    if (found === path || found === '/dev/null') return
    path = found
    if (hasPath) shown.push([bold(visiblePath(path))])
  }
  const head = (line: string) => {
    if (line.startsWith('+++ ')) name(TARGET.exec(line)?.[1] ?? '')
    else if ((hasPath ? REMARK : MODE).test(line)) shown.push([dim(line)])
  }
  for (const [index, line] of lines.entries()) {
    const [, oldStart, newStart] = HUNK.exec(line) ?? []
    if (oldStart !== undefined && newStart !== undefined) {
      if (isBody) shown.push([{ ...dim(`${' '.repeat(width)} …`), spoken: '…' }])
      ;[old, now] = [Number(oldStart), Number(newStart)]
      isBody = true
    } else if (line.startsWith('diff --git ')) {
      isBody = false
      name(FILE.exec(line)?.[1] ?? line)
    } else if (!isBody) head(line)
    else if (left-- <= 0) {
      shown.push([dim(moreText(lines.length - index))])
      break
    } else if (line.startsWith('\\'))
      shown.push([dim(`${' '.repeat(width)} no line end at the end of the file`)])
    else {
      const sign = line[0] ?? ' '
      shown.push(numbered(sign === '-' ? old : now, width, line))
      if (sign !== '+') old++
      if (sign !== '-') now++
    }
  }
  return shown
}

const moreText = (count: number): string => `… ${count} more ${count === 1 ? 'line' : 'lines'}`

const STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red' }
const WORDS: Readonly<Record<string, string>> = { '+': 'added: ', '-': 'removed: ' }

function numbered(number: number, width: number, whole: string): Span[] {
  const line = whole.replace(/\r$/, '')
  const sign = line[0] ?? ''
  return [
    { ...dim(`${String(number).padStart(width)} `), spoken: '' },
    { ...verbatim(line, STYLES[sign]), spoken: `${WORDS[sign] ?? ''}${line.slice(1)}` },
  ]
}

/** The largest number that is shown. */
function lastNumber(lines: readonly string[]): number {
  let most = 1
  let [old, now] = [0, 0]
  let isBody = false
  for (const line of lines) {
    const [, oldStart, newStart] = HUNK.exec(line) ?? []
    if (oldStart !== undefined && newStart !== undefined) {
      ;[old, now] = [Number(oldStart), Number(newStart)]
      isBody = true
    } else if (line.startsWith('diff --git ')) isBody = false
    else if (isBody && !line.startsWith('\\')) {
      most = Math.max(most, line.startsWith('-') ? old : now)
      if (!line.startsWith('+')) old++
      if (!line.startsWith('-')) now++
    }
  }
  return most
}
