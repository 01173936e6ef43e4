// Joins PDF text into lines and paragraphs by position, because a PDF only stores positions.

import { joinLine, type PdfItem } from './pdf-lines.ts'

type PdfLine = { readonly text: string; readonly y: number; readonly height: number }

/** A line further apart than this many line heights starts a paragraph. */
const PARAGRAPH_GAP = 1.9
const BULLET = /^[•▪◦‣●■] ?/

export function joinParagraphs(items: readonly PdfItem[]): string {
  let text = ''
  let before: PdfLine | undefined
  for (const line of joinLines(items)) {
    if (!before) text = line.text
    else if (BULLET.test(line.text)) text += `\n${line.text.replace(BULLET, '- ')}`
    else if (startsParagraph(before, line)) text += `\n\n${line.text}`
    // Joins a word that was hyphenated at the line end.
    else if (/\p{Ll}-$/u.test(before.text) && /^\p{Ll}/u.test(line.text)) text = text.slice(0, -1) + line.text
    else text += ` ${line.text}`
    before = line
  }
  return text
}

function startsParagraph(before: PdfLine, line: PdfLine): boolean {
  const distance = before.y - line.y
  const height = Math.max(before.height, line.height, 1)
  return (
    distance < -height / 2 ||
    distance > height * PARAGRAPH_GAP ||
    Math.abs(before.height - line.height) > height * 0.25
  )
}

function joinLines(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfItem[][] = []
  let isOpen = false
  for (const item of items) {
    const line = isOpen ? lines.at(-1) : undefined
    if (line) line.push(item)
    else lines.push([item])
    isOpen = !item.hasEOL
  }
  return lines
    .map((line) => ({
      text: joinLine(line).replaceAll(/\s+/g, ' ').trim(),
      y: line[0]?.transform[5] ?? 0,
      height: Math.max(...line.map(({ height }) => height)),
    }))
    .filter(({ text }) => text !== '')
}
