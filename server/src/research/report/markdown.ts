// The report as markdown. Texts of strangers are only texts in it: none of their marks, tags or addresses is active.
import type { ListedSource } from '../terms.ts'
import type { Document, Line, Part } from './document.ts'
import { hostOf, linkOf, readOn, titleOf, withCites } from './sources.ts'

export const markdownOf = ({ title, parts }: Document): string =>
  `${[headingOf(1, title), ...parts.map(partOf)].join('\n\n')}\n`

/** Hashes at the end of a heading would be taken for its close. */
const headingOf = (level: number, text: string): string =>
  `${'#'.repeat(level)} ${plain(text).replace(/#+$/, (hashes) => '\\#'.repeat(hashes.length))}`

function partOf(part: Part): string {
  switch (part.kind) {
    case 'heading':
      return headingOf(part.level, part.text)
    case 'paragraph':
      return linesOf(part.lines)
    case 'list':
      return part.items
        .map((lines, at) => `${part.isOrdered ? `${at + 1}.` : '-'} ${linesOf(lines)}`)
        .join('\n')
    case 'table':
      return tableOf(part)
    case 'quote':
      return part.text
        .split('\n')
        .map((text) => `> ${inert(text)}`.trimEnd())
        .join('\n')
    case 'references':
      return part.sources
        .map((source) => `- **[${source.n}]** ${sourceOf(source)}, ${readOn(source)})`)
        .join('\n')
    case 'sources':
      return part.sources
        .map(({ source, note }) => `- ${source.n}. ${sourceOf(source)}${note === '' ? '' : `; ${note}`})`)
        .join('\n')
  }
}

/** Title, address and site; the bracket is closed by the caller. */
function sourceOf(source: ListedSource): string {
  const link = linkOf(source.url)
  return `${plain(titleOf(source))}${link ? ` <${link}>` : ''} (${plain(hostOf(source.url))}`
}

const marks = (cites: readonly number[]): string => cites.map((n) => `[${n}]`).join('')

const linesOf = (lines: readonly Line[]): string =>
  lines
    .map((line) => {
      const { body, end } = withCites(line.text)
      return line.cites.length === 0 ? plain(line.text) : `${plain(body)} ${marks(line.cites)}${end}`
    })
    .join(' ')

function tableOf({ head, rows }: Part & { kind: 'table' }): string {
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, at) => at)
  const row = (cells: readonly string[]) => `| ${columns.map((at) => cells[at] ?? '').join(' | ')} |`
  const body = rows.map(({ cells, cites }) => {
    const filled = columns.map((at) => escaped((cells[at] ?? '').replace(ADDRESS, '')))
    return row([...filled.slice(0, -1), `${filled.at(-1) ?? ''} ${marks(cites)}`])
  })
  const titles = head.map((cell) => escaped(cell.replace(ADDRESS, '')))
  return [row(titles), row(columns.map(() => '---')), ...body].join('\n')
}

// What a renderer would turn into a link by itself.
const ADDRESS =
  /[a-z0-9+.-]{0,20}:\/\/[^\s`<>]*|www\.[^\s`<>]*|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/gi

const plain = (text: string): string => inert(text.replace(/\s+/g, ' ').trim())

/** One line as it is, without any effect. Addresses in it become code, which nothing makes a link of. */
function inert(one: string): string {
  const pieces: string[] = []
  const last = Array.from(one.matchAll(ADDRESS)).reduce((from, match) => {
    pieces.push(escaped(one.slice(from, match.index)), `\`${match[0]}\``)
    return match.index + match[0].length
  }, 0)
  const whole = [...pieces, escaped(one.slice(last))].join('')
  return whole.replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))
}

const escaped = (text: string): string =>
  text
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
