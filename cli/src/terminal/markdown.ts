// Renders Markdown for a terminal: headings and bold are styled, marks are removed. Text may arrive in pieces; each word is
// passed on once it is final, so nothing is ever printed twice.
import { type CodeColour, colourOf } from './code-colour.ts'
import { bold, cyan, italic, type Line, plainLines, render, type Span } from './line.ts'
import { isTableRow, tableLines } from './markdown-table.ts'
import { createWrapper, indentFor, type Wrapper } from './wrap.ts'

const FENCE = /^\s{0,3}(?:```+|~~~+)\s*([\w+#.-]*)/
const HEADING = /^#{1,6}\s+(\S.*)$/
const QUOTE = /^>\s?/
const BULLET = /^(\s*)[*+](?=\s)/
const ESCAPED = /^\\([!-/:-@[-`{-~])/
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const LINK = /^\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)/
/** Only stars around words are emphasis: "*170#" is a dial code, and underscores belong to names. */
const EMPHASIS = /^\*(\p{L}(?:[\p{L} ,.'’-]*\p{L})?)\*(?![\p{L}\p{N}*#])/u
/** A longer line is printed in parts. */
const PENDING_MAX = 20_000
/** A longer table is printed in parts. */
const TABLE_ROWS_MAX = 200

/** Resolves the marks of a line. An unmatched mark is text. */
function inline(text: string): Span[] {
  const spans: Span[] = []
  let plain = ''
  const push = (span: Span) => {
    if (plain !== '') spans.push({ text: plain })
    plain = ''
    spans.push(span)
  }
  for (let at = 0; at < text.length; ) {
    const found = markAt(text, at)
    if (!found) plain += text[at++]
    else {
      if (typeof found.shown === 'string') plain += found.shown
      else push(found.shown)
      at += found.length
    }
  }
  if (plain !== '' || spans.length === 0) spans.push({ text: plain })
  return spans
}

function markAt(text: string, at: number): { shown: string | Span; length: number } | null {
  const rest = text.slice(at)
  const [escaped, character] = ESCAPED.exec(rest) ?? []
  if (escaped && character) return { shown: character, length: escaped.length }
  const [ticks] = /^`+/.exec(rest) ?? []
  if (ticks) {
    const end = rest.indexOf(ticks, ticks.length)
    if (end < 0 || rest[end + ticks.length] === '`') return null
    return { shown: cyan(rest.slice(ticks.length, end).trim()), length: end + ticks.length }
  }
  const [strong, inside] = /^\*\*(?![*\s])(.*?[^*\s])\*\*(?!\*)/.exec(rest) ?? []
  if (strong && inside !== undefined) {
    const words = inline(inside).map((span) => span.text)
    return { shown: bold(words.join('')), length: strong.length }
  }
  const [emphasis, words] = EMPHASIS.exec(rest) ?? []
  if (emphasis && words && !/[\p{L}\p{N}]$/u.test(text.slice(0, at)))
    return { shown: italic(words), length: emphasis.length }
  const [link, label, url] = LINK.exec(rest) ?? []
  if (link && label && url)
    return { shown: { text: label === url ? url : `${label} (${url})`, link: url }, length: link.length }
  const entity = Object.keys(ENTITIES).find((name) => rest.startsWith(name))
  return entity === undefined ? null : { shown: ENTITIES[entity] ?? entity, length: entity.length }
}

/** An opened mark whose end may follow. */
const OPEN = /^(?:`|\*\*(?!\s)|\*(?:\p{L}[\p{L} ,.'’-]*)?$|\[[^\]]*(?:\](?:\([^)\s]*)?)?$|&\w{0,3}$|\\$)/u

/** The length of the stable start of a line: up to a space outside of any mark. */
function settledLength(text: string): number {
  let settled = 0
  for (let at = 0; at < text.length; ) {
    const found = markAt(text, at)
    if (!found && OPEN.test(text.slice(at))) break
    at += found?.length ?? 1
    if (!found && /\s/.test(text[at - 1] ?? '')) settled = at
  }
  return settled
}

/** Receives a text in its final form, piece by piece. */
export type MarkdownSink = {
  /** A whole line, such as one of code. */
  line(line: Line): void
  /** Words of the current line. */
  words(span: Span): void
  /** The current line continues below, indented. */
  breakLine(indent: number): void
  endLine(): void
}

export type MarkdownReader = { take(text: string): void; end(): void }

export function readMarkdown(sink: MarkdownSink, width: () => number): MarkdownReader {
  let pending = ''
  let code: CodeColour | null = null
  let tableRows: string[] = []
  let isHeading = false
  let wrapper: Wrapper | null = null

  /** `known` is the line so far, which decides its kind. */
  function show(text: string, known: string): void {
    let shown = text
    if (wrapper === null) {
      isHeading = HEADING.test(known)
      shown = isHeading ? text.replace(/^#{1,6}\s+/, '') : text.replace(QUOTE, '    ').replace(BULLET, '$1-')
      const indent = indentFor(shown, width())
      wrapper = createWrapper(width, {
        write: sink.words,
        breakLine: () => sink.breakLine(indent),
        indent,
      })
    }
    for (const span of inline(shown)) wrapper.take(isHeading ? { ...span, ...bold(span.text) } : span)
  }

  function endTable(): void {
    if (tableRows.length === 0) return
    for (const line of tableLines(tableRows, width(), inline)) sink.line(line)
    tableRows = []
  }

  function endLine(): void {
    const [fence, language = ''] = wrapper === null ? (FENCE.exec(pending) ?? []) : []
    if (code) {
      if (fence !== undefined && language === '') code = null
      else sink.line(code(pending))
    } else if (wrapper === null && isTableRow(pending)) {
      tableRows.push(pending)
      if (tableRows.length >= TABLE_ROWS_MAX) endTable()
    } else {
      endTable()
      if (fence !== undefined) code = colourOf(language)
      else {
        if (pending !== '') show(pending, pending)
        sink.endLine()
      }
    }
    pending = ''
    wrapper = null
  }

  /** Passes on the words that can no longer change. */
  function showSettled(): void {
    if (code) return
    if (wrapper === null && (/^\s*(?:\||$)/.test(pending) || !/^\s*\S+\s+\S+\s/.test(pending))) return
    const length = settledLength(pending)
    if (length === 0) return
    endTable()
    show(pending.slice(0, length), pending)
    pending = pending.slice(length)
  }

  return {
    take(text) {
      for (const [index, part] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
        if (index > 0) endLine()
        pending += part
      }
      showSettled()
      if (pending.length > PENDING_MAX) endLine()
    },
    end() {
      if (pending !== '' || wrapper !== null) endLine()
      endTable()
      code = null
    },
  }
}

/** A whole text. The lines are not wrapped. */
export function markdownLines(text: string): Line[] {
  const lines: Line[] = []
  let spans: Span[] = []
  const reader = readMarkdown(
    {
      line: (line) => lines.push(line),
      words: (span) => spans.push(span),
      breakLine: () => undefined,
      endLine() {
        lines.push(spans.length === 0 ? '' : spans)
        spans = []
      },
    },
    () => Number.POSITIVE_INFINITY,
  )
  reader.take(text)
  reader.take('\n')
  reader.end()
  return lines
}

/** Renders text that arrives in pieces. `write` receives terminal text. */
export function markdownStream(
  write: (text: string) => void,
  { color, width }: { color: boolean; width: () => number },
): MarkdownReader {
  return readMarkdown(
    {
      line: (line) => write(`${typeof line === 'string' ? plainLines(line) : render(line, color)}\n`),
      words: (span) => write(render([span], color)),
      breakLine: (indent) => write(`\n${' '.repeat(indent)}`),
      endLine: () => write('\n'),
    },
    width,
  )
}
