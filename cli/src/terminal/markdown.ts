// Renders markdown for a terminal: headings and bold are styled, marks are removed.
import { bold, cyan, type Line, plainLines, render, type Span, verbatim } from './line.ts'
import { createWrapper, indentFor, type Wrapper } from './wrap.ts'

const FENCE = /^\s{0,3}(?:```|~~~)/
const HEADING = /^#{1,6}\s+(\S.*)$/
const QUOTE = /^>\s?/
const ESCAPED = /^\\([!-/:-@[-`{-~])/
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const LINK = /^\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)/
/** Only stars around words are emphasis: "*170#" is a dial code, and underscores belong to names. */
const EMPHASIS = /^\*(\p{L}(?:[\p{L} ,.'’-]*\p{L})?)\*(?![\p{L}\p{N}*#])/u

/** A whole text. */
export function markdownLines(text: string): Line[] {
  let isCode = false
  return text.split(/\r?\n/).flatMap((line): Line[] => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return []
    }
    return [isCode ? [verbatim(line)] : lineOf(line)]
  })
}

function lineOf(line: string): Line {
  const [, heading] = HEADING.exec(line) ?? []
  if (heading !== undefined) return inline(heading).map((span) => bold(span.text))
  return inline(line.replace(QUOTE, '    '))
}

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
    return { shown: words, length: emphasis.length }
  const [link, label, url] = LINK.exec(rest) ?? []
  if (link && label && url) return { shown: label === url ? url : `${label} (${url})`, length: link.length }
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

/**
 * Renders text that arrives in pieces: writes each word once it is final, and wraps lines. `write` receives terminal
 * text.
 */
export function markdownStream(
  write: (text: string) => void,
  { color, width }: { color: boolean; width: () => number },
): { take(text: string): void; end(): void } {
  let pending = ''
  let isCode = false
  let isHeading = false
  let wrapper: Wrapper | null = null

  /** `known` is the line so far, which decides its kind. */
  function show(text: string, known: string): void {
    let shown = text
    if (wrapper === null) {
      isHeading = HEADING.test(known)
      shown = isHeading ? text.replace(/^#{1,6}\s+/, '') : text.replace(QUOTE, '    ')
      const indent = indentFor(shown, width())
      wrapper = createWrapper(width(), {
        write: (span) => write(render([span], color)),
        breakLine: () => write(`\n${' '.repeat(indent)}`),
        indent,
      })
    }
    for (const span of inline(shown)) wrapper.take(isHeading ? bold(span.text) : span)
  }

  function endLine(): void {
    if (wrapper === null && FENCE.test(pending)) isCode = !isCode
    else {
      if (isCode) write(plainLines(pending))
      else if (pending !== '') show(pending, pending)
      write('\n')
    }
    pending = ''
    wrapper = null
  }

  /** Writes the words that can no longer change. */
  function showSettled(): void {
    if (isCode || (wrapper === null && !/^\s*\S+\s+\S+\s/.test(pending))) return
    const length = settledLength(pending)
    if (length === 0) return
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
    },
    end() {
      if (pending !== '' || wrapper !== null) endLine()
    },
  }
}
