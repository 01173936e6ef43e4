// Reads one block of Markdown. Its content is text that is read when it is rendered.
import { type Block, closesFence, fenceOf, itemOf } from './markdown-blocks.ts'

export type Align = 'start' | 'center' | 'end'
export type Item = { readonly text: string; readonly isDone: boolean | null }
export type Node =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'list'; first: number | null; items: Item[] }
  | { kind: 'quote'; text: string }
  | { kind: 'code'; language: string; text: string; isClosed: boolean }
  | { kind: 'table'; aligns: Align[]; head: string[]; rows: string[] }
  | { kind: 'rule' }

/** This many spaces nest an item in the one above. */
const NESTED = 2

export function readBlock({ kind, text }: Block): Node {
  if (kind === 'code') return readCode(text)
  if (kind === 'list') return readList(text)
  if (kind === 'table') return readTable(text)
  if (kind === 'heading') return readHeading(text)
  if (kind === 'quote') return { kind, text: text.replace(/^ {0,3}> ?/gm, '') }
  if (kind === 'rule') return { kind }
  const underlined = /\n {0,3}(=|-)\1{2,}$/.exec(text)
  if (underlined)
    return { kind: 'heading', level: underlined[1] === '=' ? 1 : 2, text: text.slice(0, underlined.index) }
  return { kind, text: text.replace(/^[ \t]+/gm, '') }
}

function readHeading(text: string): Node {
  const line = text.trimStart()
  const level = /^#*/.exec(line)?.[0].length ?? 1
  const said = line.slice(level).trim()
  let end = said.length
  while (said[end - 1] === '#') end--
  // Closing signs stand alone; "C#" keeps its sign.
  const isClosed = end === 0 || /\s/.test(said[end - 1] ?? '')
  return { kind: 'heading', level, text: isClosed ? said.slice(0, end).trim() : said }
}

function readCode(text: string): Node {
  const lines = text.split('\n')
  const opening = lines.shift() ?? ''
  const { fence, info } = fenceOf(opening) ?? { fence: '```', info: '' }
  const isClosed = lines.length > 0 && closesFence(lines.at(-1) ?? '', fence)
  if (isClosed) lines.pop()
  const indent = opening.length - opening.trimStart().length
  const code = indent === 0 ? lines : lines.map((line) => withoutIndent(line, indent))
  return { kind: 'code', language: info.split(/[\s,{:]/)[0] ?? '', text: code.join('\n'), isClosed }
}

function readList(text: string): Node {
  const items: { lines: string[]; width: number; isMeasured: boolean }[] = []
  let first: number | null = null
  let base = 0
  for (const line of text.split('\n')) {
    const item = itemOf(line)
    if (item && items.length === 0) {
      base = item.indent
      if (/\d/.test(item.mark)) first = Number.parseInt(item.mark, 10)
    }
    const last = items.at(-1)
    if (item && item.indent - base < NESTED) {
      items.push({ lines: [line.slice(item.width)], width: item.width, isMeasured: false })
    } else if (last) {
      // Models often indent by less than the width of the marker, so the first line below it decides.
      const indent = indentOf(line)
      if (!last.isMeasured && indent >= NESTED && line.trim() !== '') {
        last.isMeasured = true
        last.width = Math.min(last.width, indent)
      }
      last.lines.push(withoutIndent(line, last.width))
    }
  }
  return { kind: 'list', first, items: items.map(({ lines }) => readItem(lines.join('\n').trimEnd())) }
}

function readItem(text: string): Item {
  const task = /^\[([ xX])\][ \t]+/.exec(text)
  return task ? { text: text.slice(task[0].length), isDone: task[1] !== ' ' } : { text, isDone: null }
}

function indentOf(line: string): number {
  let at = 0
  while (line[at] === ' ') at++
  return at
}

function withoutIndent(line: string, width: number): string {
  const indent = Math.min(indentOf(line), width)
  return line[indent] === '\t' && indent < width ? line.slice(indent + 1) : line.slice(indent)
}

function readTable(text: string): Node {
  const [head = '', rule = '', ...rows] = text.split('\n')
  const cells = cellsOf(head)
  const aligns = cellsOf(rule).map((cell): Align => {
    if (!cell.endsWith(':')) return 'start'
    return cell.startsWith(':') ? 'center' : 'end'
  })
  return { kind: 'table', aligns, head: cells, rows }
}

/** The cells of a row. A bar inside code or after a backslash does not separate cells. */
export function cellsOf(row: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isCode = false
  for (const part of row.trim().split(/(\\\||`|\|)/)) {
    if (part === '|' && !isCode) {
      cells.push(cell.trim())
      cell = ''
      continue
    }
    if (part === '`') isCode = !isCode
    cell += part === '\\|' ? '|' : part
  }
  cells.push(cell.trim())
  if (cells[0] === '') cells.shift()
  if (cells.length > 0 && cells.at(-1) === '') cells.pop()
  return cells
}
