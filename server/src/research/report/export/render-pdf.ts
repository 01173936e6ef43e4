// Renders the report as a PDF file with the pen of the platform.

import {
  ACCENT,
  createPdf,
  INK_2,
  PAGE,
  type Pen,
  RIGHT,
  RULE,
  type Style,
  WIDTH,
} from '../../../platform/pdf/pen.ts'
import type { CitedText, ReportBlock } from '../draft-blocks.ts'
import type { ReportDocument } from '../report-document.ts'
import { isolated, type ListedSource, splitEndMark } from '../source-format.ts'

const BODY: Style = { size: 10, isForeign: true }
const SOURCE: Style = { size: 10 }
const TITLE: Style = { size: 18, weight: 'semibold', isForeign: true }
const HEADINGS: Readonly<Record<2 | 3 | 4, Style>> = {
  2: { size: 13, weight: 'semibold', isForeign: true },
  3: { size: 11, weight: 'semibold', isForeign: true },
  4: { size: 10, weight: 'semibold', isForeign: true },
}
const QUOTE: Style = { size: 9.5, color: INK_2, isForeign: true }
const CELL: Style = { size: 9, isForeign: true }
const CELL_TITLE: Style = { ...CELL, weight: 'semibold' }
const LINK: Style = { size: 8.5, color: ACCENT, isForeign: true }
const INDENT = 16
const CELL_GAP = 8

/** Deterministic: the date of the file is the day of the report. */
export function renderPdf(document: ReportDocument, issuedAt: Date): Promise<Uint8Array> {
  const { title, language, direction } = document
  const meta = { direction, language, title, issuedAt } as const
  return createPdf({ ...meta, spellsMissing: true, footer: (page) => String(page) }, (pen) => {
    write(pen, title, TITLE)
    pen.move(8)
    for (const part of document.parts) drawBlock(pen, part)
  })
}

/** Writes wrapped lines that may continue on the next page. */
function write(pen: Pen, text: string, style: Style, inset = 0): void {
  const box = { x: PAGE.margin + inset, width: WIDTH - inset }
  for (const line of pen.linesOf(text, box.width, style)) {
    pen.need(pen.leading(style))
    pen.drawLine(line, pen.y, box, style)
    pen.move(pen.leading(style))
  }
}

function drawBlock(pen: Pen, part: ReportBlock): void {
  switch (part.kind) {
    case 'heading':
      pen.move(part.level === 2 ? 12 : 6)
      // A heading stays with the line below it.
      pen.need(60)
      write(pen, part.text, HEADINGS[part.level])
      pen.move(3)
      return
    case 'paragraph':
      write(pen, textOf(part.lines), BODY)
      pen.move(6)
      return
    case 'list':
      part.items.forEach((lines, at) => {
        writeItem(pen, part.isOrdered ? `${at + 1}.` : '•', textOf(lines))
      })
      pen.move(4)
      return
    case 'table':
      drawTable(pen, part)
      return
    case 'quote':
      drawQuote(pen, part.text)
      return
    case 'references':
      for (const source of part.sources) drawSource(pen, source, `[${source.n}]`)
      return
    case 'sources':
      for (const source of part.sources) drawSource(pen, source, `${source.n}.`)
      return
  }
}

function writeItem(pen: Pen, mark: string, text: string, inset = INDENT, style = BODY): void {
  pen.need(pen.leading(style))
  pen.drawLine(mark, pen.y, { x: PAGE.margin, width: inset }, style)
  write(pen, text, style, inset)
  pen.move(2)
}

const citations = (cites: readonly number[]): string => cites.map((n) => `[${n}]`).join('')

const textOf = (lines: readonly CitedText[]): string =>
  lines
    .map(({ text, cites }) => {
      const { body, end } = splitEndMark(text)
      return cites.length === 0 ? text : `${body} ${citations(cites)}${end}`
    })
    .join(' ')

function drawQuote(pen: Pen, text: string): void {
  for (const line of text.split('\n')) {
    const before = pen.y
    write(pen, line, QUOTE, INDENT)
    // On a new page the bar starts at its top.
    const top = pen.y > before ? before : PAGE.margin
    const x = pen.isRtl ? RIGHT - 4 : PAGE.margin + 4
    pen.pdf.moveTo(x, top).lineTo(x, pen.y).lineWidth(2).strokeColor(RULE).stroke()
  }
  pen.move(8)
}

function drawTable(pen: Pen, { head, rows }: ReportBlock & { kind: 'table' }): void {
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length), 1)
  const cellWidth = (WIDTH - (width - 1) * CELL_GAP) / width
  const drawRow = (cells: readonly string[], style: Style) => {
    const heights = cells.map((cell) => pen.heightOf(cell, cellWidth, style))
    pen.need(Math.max(...heights, 0) + 6)
    const top = pen.y
    const bottoms = cells.map((cell, at) =>
      pen.write(cell, top, { x: PAGE.margin + at * (cellWidth + CELL_GAP), width: cellWidth }, style),
    )
    pen.moveTo(Math.max(...bottoms, top) + 2)
    pen.rule()
    pen.move(4)
  }
  drawRow(head, CELL_TITLE)
  for (const { cells, cites } of rows)
    drawRow([...cells.slice(0, -1), `${cells.at(-1) ?? ''} ${citations(cites)}`], CELL)
  pen.move(6)
}

/** The line has the direction of the report, and the title and the site keep theirs. */
function drawSource(pen: Pen, { title, site, note, link }: ListedSource, mark: string): void {
  const inset = mark.length > 3 ? 2 * INDENT : INDENT + 6
  const named = (text: string) => isolated(text, pen.isRtl ? 'rtl' : 'ltr')
  writeItem(pen, mark, `${named(title)} (${named(site)})${note}`, inset, SOURCE)
  if (link) write(pen, link, LINK, inset)
  pen.move(3)
}
