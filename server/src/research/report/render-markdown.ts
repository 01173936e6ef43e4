// Renders the report as Markdown. Foreign texts are escaped: none of their marks, tags or URLs is active.
import type { CitedText, ReportBlock } from './draft-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { isolated, type ListedSource, splitEndMark } from './source-format.ts'

export const renderMarkdown = ({ title, parts, direction }: ReportDocument): string =>
  `${[renderHeading(1, title), ...parts.map((part) => renderBlock(part, direction))].join('\n\n')}\n`

/** Trailing hashes would close the heading. */
const renderHeading = (level: number, text: string): string =>
  `${'#'.repeat(level)} ${toPlainLine(text).replace(/#+$/, (hashes) => '\\#'.repeat(hashes.length))}`

function renderBlock(part: ReportBlock, direction: ReportDocument['direction']): string {
  switch (part.kind) {
    case 'heading':
      return renderHeading(part.level, part.text)
    case 'paragraph':
      return renderTexts(part.lines)
    case 'list':
      return part.items
        .map((lines, at) => `${part.isOrdered ? `${at + 1}.` : '-'} ${renderTexts(lines)}`)
        .join('\n')
    case 'table':
      return renderTable(part)
    case 'quote':
      return part.text
        .split('\n')
        .map((text) => `> ${escapeLine(text)}`.trimEnd())
        .join('\n')
    case 'references':
      return part.sources.map((source) => `- **[${source.n}]** ${renderSource(source, direction)}`).join('\n')
    case 'sources':
      return part.sources.map((source) => `- ${source.n}. ${renderSource(source, direction)}`).join('\n')
  }
}

function renderSource(source: ListedSource, direction: ReportDocument['direction']): string {
  const { title, link, site, note } = source
  const named = (text: string) => isolated(toPlainLine(text), direction)
  return `${named(title)}${link ? ` <${link}>` : ''} (${named(site)}${note})`
}

const renderCitations = (cites: readonly number[]): string => cites.map((n) => `[${n}]`).join('')

const renderTexts = (lines: readonly CitedText[]): string =>
  lines
    .map((line) => {
      const { body, end } = splitEndMark(line.text)
      return line.cites.length === 0
        ? toPlainLine(line.text)
        : `${toPlainLine(body)} ${renderCitations(line.cites)}${end}`
    })
    .join(' ')

function renderTable({ head, rows }: ReportBlock & { kind: 'table' }): string {
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, at) => at)
  const row = (cells: readonly string[]) => `| ${columns.map((at) => cells[at] ?? '').join(' | ')} |`
  const body = rows.map(({ cells, cites }) => {
    const filled = columns.map((at) => escapeMarkdown((cells[at] ?? '').replace(ADDRESS, '')))
    return row([...filled.slice(0, -1), `${filled.at(-1) ?? ''} ${renderCitations(cites)}`])
  })
  const titles = head.map((cell) => escapeMarkdown(cell.replace(ADDRESS, '')))
  return [row(titles), row(columns.map(() => '---')), ...body].join('\n')
}

// Text that renderers turn into links.
const ADDRESS =
  /[a-z0-9+.-]{0,20}:\/\/[^\s`<>]*|www\.[^\s`<>]*|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/gi

const toPlainLine = (text: string): string => escapeLine(text.replace(/\s+/g, ' ').trim())

/** Escapes one line. URLs become code, which renderers do not link. */
function escapeLine(one: string): string {
  const pieces: string[] = []
  const last = Array.from(one.matchAll(ADDRESS)).reduce((from, match) => {
    pieces.push(escapeMarkdown(one.slice(from, match.index)), `\`${match[0]}\``)
    return match.index + match[0].length
  }, 0)
  const whole = [...pieces, escapeMarkdown(one.slice(last))].join('')
  return whole.replace(/^([#+=-]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))
}

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
