// Lines of a text, counted from 1, and splitting into pieces of at most the size of a chunk.
import { CHUNK_CHARACTERS, type Chunk } from './chunk.ts'

export type Lines = readonly string[]

export const splitLines = (text: string): Lines => text.split(/\r\n|[\n\r]/)

/** The text from one line to another, inclusive. */
export const textBetween = (lines: Lines, first: number, last: number): string =>
  lines.slice(first - 1, last).join('\n')

/** The length of that text. */
export function sizeBetween(lines: Lines, first: number, last: number): number {
  let size = -1
  for (let line = first - 1; line < Math.min(last, lines.length); line++)
    size += (lines[line]?.length ?? 0) + 1
  return Math.max(0, size)
}

export const isBlank = (lines: Lines, first: number, last: number): boolean =>
  lines.slice(first - 1, last).every((line) => line.trim() === '')

export type Span = { readonly first: number; readonly last: number }

/** Removes blank lines at both ends; null when nothing remains. */
export function trimBlankLines(lines: Lines, { first, last }: Span): Span | null {
  let [from, to] = [first, last]
  while (from <= to && lines[from - 1]?.trim() === '') from += 1
  while (to >= from && lines[to - 1]?.trim() === '') to -= 1
  return from <= to ? { first: from, last: to } : null
}

/** Splits a span into pieces of at most `most` characters, preferably at a blank line. A single line is not split. */
export function splitByLines(lines: Lines, span: Span, most: number = CHUNK_CHARACTERS.most): Span[] {
  const pieces: Span[] = []
  let from = span.first
  let size = 0
  let blank = 0
  for (let line = span.first; line <= span.last; line++) {
    const length = (lines[line - 1]?.length ?? 0) + 1
    if (size + length > most && line > from) {
      const end = blank > from && (blank - from) * 2 > line - from ? blank : line - 1
      pieces.push({ first: from, last: end })
      from = end + 1
      size = sizeBetween(lines, from, line - 1)
    }
    if (lines[line - 1]?.trim() === '') blank = line
    size += length
  }
  if (from <= span.last) pieces.push({ first: from, last: span.last })
  return pieces.flatMap((piece) => trimBlankLines(lines, piece) ?? [])
}

/** Splits a span without known structure into chunks. Very long lines are split by characters. */
export function splitIntoChunks(
  lines: Lines,
  span: Span,
  like: Pick<Chunk, 'kind' | 'symbol' | 'scope'>,
): Chunk[] {
  return splitByLines(lines, span).flatMap((piece) => {
    const content = textBetween(lines, piece.first, piece.last)
    const place = { ...like, startLine: piece.first, endLine: piece.last }
    return splitByCharacters(content).map((part) => ({ ...place, content: part }))
  })
}

/** Splits a text that is much longer than a chunk. */
function splitByCharacters(text: string): string[] {
  if (text.length <= 2 * CHUNK_CHARACTERS.most) return [text]
  const parts: string[] = []
  for (let at = 0; at < text.length; at += CHUNK_CHARACTERS.most)
    parts.push(text.slice(at, at + CHUNK_CHARACTERS.most).toWellFormed())
  return parts
}
