// Splits other files than code: Markdown by headings, SQL by statements, the rest into overlapping windows of lines.
import { CHUNK_CHARACTERS, type Chunk, WINDOW_LINES, WINDOW_OVERLAP } from './chunk.ts'
import { type Lines, type Span, sizeBetween, splitIntoChunks, textBetween, trimBlankLines } from './lines.ts'

const WINDOW_CHARACTERS_MAX = 2 * CHUNK_CHARACTERS.most

export function windowChunks(lines: Lines): Chunk[] {
  const chunks: Chunk[] = []
  for (let first = 1; first <= lines.length; first += WINDOW_LINES - WINDOW_OVERLAP) {
    const span = trimBlankLines(lines, { first, last: Math.min(lines.length, first + WINDOW_LINES - 1) })
    if (span) chunks.push(...windowChunk(lines, span))
    if (first + WINDOW_LINES > lines.length) break
  }
  return chunks
}

/** A window of data can be very long, so it is split again. */
function windowChunk(lines: Lines, { first, last }: Span): Chunk[] {
  const content = textBetween(lines, first, last)
  const like = { kind: 'window', symbol: '', scope: '' } as const
  return content.length <= WINDOW_CHARACTERS_MAX
    ? [{ ...like, startLine: first, endLine: last, content }]
    : splitIntoChunks(lines, { first, last }, like)
}

const HEADING = /^(#{1,6})[ \t]/
const TITLE_CHARACTERS_MAX = 200
const CODE_FENCE = /^\s*(```|~~~)/

/** Each heading starts a section. Its scope is the list of higher headings. */
export function markdownChunks(lines: Lines): Chunk[] {
  const chunks: Chunk[] = []
  let titles: string[] = []
  let first = 1
  let isFenced = false
  const end = (last: number) => {
    const span = trimBlankLines(lines, { first, last })
    const like = {
      kind: 'section',
      symbol: titles.at(-1) ?? '',
      scope: titles.slice(0, -1).join(' › '),
    } as const
    if (span) chunks.push(...splitIntoChunks(lines, span, like))
  }
  for (const [i, line] of lines.entries()) {
    if (CODE_FENCE.test(line)) isFenced = !isFenced
    const marks = isFenced ? '' : (HEADING.exec(line)?.[1] ?? '')
    if (marks === '') continue
    end(i)
    first = i + 1
    titles = [...titles.slice(0, marks.length - 1), titleOf(line.slice(marks.length))]
  }
  end(lines.length)
  return chunks
}

/** Removes trailing `#` characters. */
function titleOf(text: string): string {
  const title = text.slice(0, TITLE_CHARACTERS_MAX).trim()
  let end = title.length
  while (title[end - 1] === '#') end -= 1
  return title.slice(0, end).trimEnd().toWellFormed()
}

const DEFINITION =
  /\b(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:(?:unique|temp|temporary|materialized)\s+)*(?:table|view|index|function|procedure|trigger|type|policy|schema|sequence|extension)\s+(?:if\s+(?:not\s+)?exists\s+)?([\w."`]+)/i
const QUOTES = /\$\w*\$/g
/** The defined name is near the start of a statement. */
const DEFINITION_CHARACTERS_MAX = 2_000

/** A semicolon at the end of a line ends a statement, except inside a dollar-quoted body. Small statements are merged. */
export function sqlChunks(lines: Lines): Chunk[] {
  const spans: Span[] = []
  let first = 1
  let isQuoted = false
  for (const [i, line] of lines.entries()) {
    if ((line.match(QUOTES)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted
    if (isQuoted || !/;\s*(--.*)?$/.test(line)) continue
    spans.push({ first, last: i + 1 })
    first = i + 2
  }
  spans.push({ first, last: lines.length })
  return mergeSmall(lines, spans).flatMap((span) => {
    const beginning = textBetween(lines, span.first, span.last).slice(0, DEFINITION_CHARACTERS_MAX)
    const symbol = DEFINITION.exec(beginning)?.[1]?.replace(/["`]/g, '') ?? ''
    return splitIntoChunks(lines, span, { kind: 'statement', symbol, scope: '' })
  })
}

function mergeSmall(lines: Lines, spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.flatMap((each) => trimBlankLines(lines, each) ?? [])) {
    const last = result.at(-1)
    if (last && sizeBetween(lines, last.first, span.last) <= CHUNK_CHARACTERS.least)
      result[result.length - 1] = { first: last.first, last: span.last }
    else result.push(span)
  }
  return result
}
