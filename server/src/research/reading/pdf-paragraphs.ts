// Joins PDF text into lines and paragraphs by position, because a PDF only stores positions.

export type PdfItem = {
  readonly str: string
  /** The last two numbers are the position from the lower left corner. */
  readonly transform: readonly number[]
  readonly height: number
  readonly hasEOL: boolean
}

type PdfLine = { text: string; readonly y: number; height: number }

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
  const lines: PdfLine[] = []
  let line: PdfLine | undefined
  for (const { str, transform, height, hasEOL } of items) {
    if (!line) {
      line = { text: '', y: transform[5] ?? 0, height: 0 }
      lines.push(line)
    }
    line.text += str
    line.height = Math.max(line.height, height)
    if (hasEOL) line = undefined
  }
  return lines
    .map((each) => ({ ...each, text: each.text.replaceAll(/\s+/g, ' ').trim() }))
    .filter((each) => each.text !== '')
}
