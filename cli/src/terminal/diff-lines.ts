// A unified diff for people: line numbers, signs and colours.
import { bold, dim, type Line, verbatim } from './line.ts'
import { visiblePath } from './visible.ts'

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/
const FILE = /^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/
const TARGET = /^\+\+\+ (?:"?b\/)?(.*?)"?\t?$/
/** The new file mode and the like say something; the rest of a header repeats the path. */
const REMARK = /^(?:new file|deleted file|old mode|new mode|rename|similarity|Binary)/
const SILENT = /^(?:index |--- )/

/** `hasPath`: also a line with the path before each file. */
export function diffLines(patch: string, { hasPath = true }: { hasPath?: boolean } = {}): Line[] {
  const lines = patch.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n')
  const width = String(lastNumber(lines)).length
  const shown: Line[] = []
  let [old, now] = [0, 0]
  let path = ''
  let isBody = false
  const name = (found: string) => {
    if (found === path || found === '/dev/null') return
    path = found
    if (hasPath) shown.push([bold(visiblePath(path))])
  }
  const numbered = (number: number, sign: string, text: string) =>
    `${String(number).padStart(width)} ${sign} ${text}`
  for (const line of lines) {
    const hunk = HUNK.exec(line)
    if (hunk) {
      if (isBody) shown.push([dim('⋮')])
      ;[old, now] = [Number(hunk[1]), Number(hunk[2])]
      isBody = true
    } else if (line.startsWith('diff --git ')) {
      isBody = false
      name(FILE.exec(line)?.[1] ?? line)
    } else if (!isBody) {
      if (line.startsWith('+++ ')) name(TARGET.exec(line)?.[1] ?? '')
      else if (REMARK.test(line)) shown.push([dim(line)])
      else if (line !== '' && !SILENT.test(line)) shown.push([verbatim(line)])
    } else if (line.startsWith('+'))
      shown.push([
        { ...verbatim(numbered(now++, '+', line.slice(1)), 'green'), spoken: `added: ${line.slice(1)}` },
      ])
    else if (line.startsWith('-'))
      shown.push([
        { ...verbatim(numbered(old++, '-', line.slice(1)), 'red'), spoken: `removed: ${line.slice(1)}` },
      ])
    else if (line.startsWith('\\')) shown.push([dim(line.slice(2))])
    else {
      shown.push([{ ...verbatim(numbered(now++, ' ', line.slice(1))), spoken: line.slice(1) }])
      old++
    }
  }
  return shown
}

/** For the width of the line numbers. */
function lastNumber(lines: readonly string[]): number {
  let most = 0
  for (const line of lines) {
    const [, old, now] = HUNK.exec(line) ?? []
    most = Math.max(most, Number(old ?? 0), Number(now ?? 0))
  }
  return most + lines.length
}
