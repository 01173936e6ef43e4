// Draws a document on A4 pages. Runs on a worker thread. The same document gives the same bytes.
import {
  ACCENT,
  createPdf,
  INK,
  INK_2,
  PAGE,
  type Pen,
  RIGHT,
  type Style,
  WIDTH,
} from '../../platform/pdf/pen.ts'
import { qrPath } from '../../platform/qr.ts'

export type PdfDocument = {
  readonly direction: 'ltr' | 'rtl'
  readonly language: string
  readonly title: string
  readonly number: string
  readonly issuedAt: Date
  readonly stamps: readonly string[]
  readonly isVoid: boolean
  readonly parties: readonly (readonly [label: string, lines: readonly string[]])[]
  readonly facts: readonly (readonly [label: string, lines: readonly string[]])[]
  readonly columns: readonly [description: string, quantity: string, amount: string]
  readonly rows: readonly (readonly [description: string, quantity: string, amount: string])[]
  readonly sums: readonly { label: string; amount: string; isTotal: boolean }[]
  readonly remarks: readonly string[]
  readonly registration: {
    readonly label: string
    readonly number: string | null
    readonly qr: string | null
  } | null
}

const AMOUNT_WIDTH = 120
const QUANTITY_WIDTH = 56
const GAP = 16
/** The mark of the app, on a grid of 32. */
const SHELL = 'M16.5 1.5c8 0 11.5 7 11.5 14.2S23.5 30.5 16 30.5 4 23.2 4 15.7 8.5 1.5 16.5 1.5Z'
const LIPS = 'M16.8 4.5c-5.2 6-5.2 17-.8 23 5.2-6 5.6-17 .8-23Z'

export const run = (paper: PdfDocument): Promise<Uint8Array> =>
  createPdf({ ...paper, title: `${paper.title} ${paper.number}` }, (pen) => drawDocument(pen, paper))

const SMALL: Style = { size: 9, color: INK_2 }
const BODY: Style = { size: 10 }
const FACT: Style = { size: 9, isForeign: true }
const NAME: Style = { size: 10, weight: 'semibold', isForeign: true }

function drawDocument(pen: Pen, paper: PdfDocument): void {
  drawHead(pen, paper)
  drawColumns(pen, paper.parties, 2, true)
  drawColumns(pen, paper.facts, 3, false)
  drawRows(pen, paper)
  drawSums(pen, paper)
  pen.move(24)
  drawRegistration(pen, paper)
  for (const remark of paper.remarks) {
    pen.need(pen.heightOf(remark, WIDTH, SMALL))
    pen.moveTo(pen.write(remark, pen.y, { x: PAGE.margin, width: WIDTH }, SMALL))
  }
}

function drawHead(pen: Pen, { title, number, stamps, isVoid }: PdfDocument): void {
  const { pdf } = pen
  const size = 22
  const left = pen.leftOf({ x: PAGE.margin, width: size })
  pdf
    .save()
    .translate(left, pen.y)
    .scale(size / 32)
  pdf.path(SHELL).fill(ACCENT)
  pdf.path(LIPS).fill('#ffffff')
  pdf.restore()
  pen.drawLine(
    'Cowrie',
    pen.y + 2,
    { x: PAGE.margin + size + 8, width: 120 },
    { size: 13, weight: 'semibold' },
  )
  pen.move(56)
  let end = 0
  for (const stamp of [...stamps].reverse()) {
    const style: Style = { size: 9, weight: 'semibold', color: isVoid ? INK_2 : ACCENT }
    const width = pen.widthOf(stamp, style) + 16
    const box = { x: RIGHT - end - width, width }
    pdf
      .roundedRect(pen.leftOf(box), pen.y + 3, width, 20, 4)
      .lineWidth(1)
      .strokeColor(style.color ?? INK)
      .stroke()
    pen.drawLine(stamp, pen.y + 7.5, { x: box.x + 8, width: width - 16 }, style)
    end += width + 8
  }
  pen.drawLine(title, pen.y, { x: PAGE.margin, width: WIDTH }, { size: 22, weight: 'semibold' })
  pen.move(34)
  pen.drawLine(number, pen.y, { x: PAGE.margin, width: WIDTH }, { size: 11, color: INK_2 })
  pen.move(36)
}

/** Labels with their lines, side by side. The first line of a party is its name. */
function drawColumns(pen: Pen, items: PdfDocument['facts'], most: number, isNamed: boolean): void {
  const width = (WIDTH - (most - 1) * GAP) / most
  for (let first = 0; first < items.length; first += most) {
    const row = items.slice(first, first + most)
    const heights = row.map(
      ([, lines]) => 18 + lines.reduce((sum, line) => sum + pen.heightOf(line, width, FACT), 0),
    )
    const height = Math.max(...heights)
    pen.need(height)
    for (const [place, [label, lines]] of row.entries()) {
      const box = { x: PAGE.margin + place * (width + GAP), width }
      let top = pen.write(label, pen.y, box, SMALL) + 2
      for (const [index, line] of lines.entries())
        top = pen.write(line, top, box, isNamed && index === 0 ? NAME : FACT)
    }
    pen.move(height + 16)
  }
}

const DESCRIPTION_WIDTH = WIDTH - AMOUNT_WIDTH - QUANTITY_WIDTH - 2 * GAP

function drawRows(pen: Pen, { columns, rows }: PdfDocument): void {
  pen.need(60)
  drawCells(pen, columns, SMALL)
  pen.rule(INK, 1)
  pen.move(8)
  for (const row of rows) {
    pen.need(pen.heightOf(row[0], DESCRIPTION_WIDTH, BODY) + 12)
    drawCells(pen, row, BODY)
    pen.rule()
    pen.move(8)
  }
}

function drawCells(pen: Pen, [description, quantity, amount]: PdfDocument['columns'], style: Style): void {
  const top = pen.y
  const bottom = pen.write(description, top, { x: PAGE.margin, width: DESCRIPTION_WIDTH }, style)
  const x = PAGE.margin + DESCRIPTION_WIDTH + GAP
  pen.drawLine(quantity, top, { x, width: QUANTITY_WIDTH, align: 'end' }, style)
  pen.drawLine(amount, top, { x: RIGHT - AMOUNT_WIDTH, width: AMOUNT_WIDTH, align: 'end' }, style)
  pen.moveTo(bottom + 4)
}

function drawSums(pen: Pen, { sums }: PdfDocument): void {
  for (const { label, amount, isTotal } of sums) {
    const style: Style = isTotal ? { size: 13, weight: 'semibold' } : BODY
    pen.need(28)
    if (isTotal) pen.move(4)
    pen.drawLine(label, pen.y, { x: PAGE.margin, width: WIDTH - AMOUNT_WIDTH - GAP, align: 'end' }, style)
    pen.drawLine(amount, pen.y, { x: RIGHT - AMOUNT_WIDTH, width: AMOUNT_WIDTH, align: 'end' }, style)
    pen.move(isTotal ? 24 : 18)
  }
}

const QR_SIDE = 96

/** The number of the tax authority, with its QR code at the end of the line. */
function drawRegistration(pen: Pen, { registration }: PdfDocument): void {
  if (!registration) return
  const { label, number, qr } = registration
  const width = WIDTH - QR_SIDE - GAP
  const height = Math.max(qr === null ? 0 : QR_SIDE, 18 + pen.heightOf(number ?? '', width, FACT))
  pen.need(height)
  const box = { x: PAGE.margin, width }
  const below = pen.write(label, pen.y, box, SMALL) + 2
  if (number !== null) pen.write(number, below, box, FACT)
  if (qr !== null) drawQr(pen, qr)
  pen.move(height + 16)
}

function drawQr(pen: Pen, text: string): void {
  const { size, path } = qrPath(text)
  const left = pen.leftOf({ x: RIGHT - QR_SIDE, width: QR_SIDE })
  pen.pdf
    .save()
    .translate(left, pen.y)
    .scale(QR_SIDE / size)
  pen.pdf.path(path).fill('#000000')
  pen.pdf.restore()
}
