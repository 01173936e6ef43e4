// Draws text on A4 pages: wrapped, in both directions, with the fonts of the repository. For worker threads.
import { readFileSync } from 'node:fs'
import Pdf, { type OpenedFont } from 'pdfkit'
import { spellMissing } from './spell-missing.ts'
import { isDirectionMark, runsOf, type TextRun, usesArabicFont } from './text-runs.ts'

export type PdfMeta = {
  readonly direction: 'ltr' | 'rtl'
  readonly language: string
  readonly title: string
  /** Also decides the id of the file, so that the same document gives the same bytes. */
  readonly issuedAt: Date
  /** Writes characters without a letter in the fonts in other characters. Boxes are drawn without it. */
  readonly spellsMissing?: true
  /** Below each page; none without it. */
  readonly footer?: (page: number) => string
}

const fontFile = (name: string): Buffer => readFileSync(new URL(`./fonts/${name}.ttf`, import.meta.url))
const FONTS = {
  regular: fontFile('noto-sans-regular'),
  semibold: fontFile('noto-sans-semibold'),
  'arabic-regular': fontFile('vazirmatn-regular'),
  'arabic-semibold': fontFile('vazirmatn-semibold'),
}
/** Reading the tables of a font takes longer than drawing a page, so each thread opens it once. */
const opened = new Map<string, OpenedFont>()

export const PAGE = { width: 595.28, height: 841.89, margin: 56 }
export const RIGHT = PAGE.width - PAGE.margin
export const BOTTOM = PAGE.height - PAGE.margin
export const WIDTH = PAGE.width - 2 * PAGE.margin
export const INK = '#1b1d2a'
export const INK_2 = '#55586a'
export const RULE = '#dedad2'
export const ACCENT = '#33308a'

export type Style = {
  readonly size: number
  readonly weight?: 'regular' | 'semibold'
  readonly color?: string
  /** A text of a user, whose first letter decides its direction. */
  readonly isForeign?: true
}
export type Box = { readonly x: number; readonly width: number; readonly align?: 'start' | 'end' }

export async function createPdf(meta: PdfMeta, draw: (pen: Pen) => void): Promise<Uint8Array> {
  const { title, issuedAt, language } = meta
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: 'Cowrie', CreationDate: issuedAt, ModDate: issuedAt },
  })
  const chunks: Buffer[] = []
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  pdf.on('end', () => resolve())
  pdf.on('error', reject)
  for (const [name, file] of Object.entries(FONTS)) pdf.registerFont(name, opened.get(name) ?? file)
  // Otherwise the characters of an earlier document would be stored for copying and searching.
  for (const font of opened.values()) font._glyphs = {}
  draw(penOn(pdf, meta))
  for (const { unicode } of Object.values(pdf._fontFamilies)) unicode?.forEach(joinLigature)
  pdf.end()
  for (const name of Object.keys(FONTS)) {
    const font = pdf._fontFamilies[name]?.font
    if (font) opened.set(name, font)
  }
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

/** Lam with an alef: alef, its variants, and the one character that Unicode has for each pair. */
const LAM = 0x0644
const LAM_ALEF: Readonly<Record<number, number>> = {
  1570: 0xfef5,
  1571: 0xfef7,
  1573: 0xfef9,
  1575: 0xfefb,
}

/**
 * Programs that copy or search a PDF reverse Arabic characters, also those of one glyph. A glyph for two letters
 * therefore stands for the single character of the pair, which they take apart in the right order.
 */
function joinLigature(characters: number[]): void {
  const [lam, alef = 0] = characters
  const pair = lam === LAM ? LAM_ALEF[alef] : undefined
  if (pair !== undefined) characters.splice(0, 2, pair)
}

/** Letters from right to left. */
const MIXED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Writes text at the current height. `start` is the side where lines begin: right in Arabic. */
function penOn(pdf: Pdf, { direction, footer, spellsMissing }: PdfMeta) {
  const isRtl = direction === 'rtl'
  let y = PAGE.margin
  const fontOf = (isArabic: boolean, { weight = 'regular' }: Style) =>
    isArabic ? `arabic-${weight}` : weight
  const known = new Map<string, boolean>()
  function isMissing(character: string): boolean {
    const isKnown = known.get(character)
    if (isKnown !== undefined) return !isKnown
    pdf.font(fontOf(usesArabicFont(character), { size: 0 }))
    const hasLetter = pdf._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
    known.set(character, hasLetter)
    return !hasLetter
  }
  const leftOf = ({ x, width }: Box): number => (isRtl ? PAGE.width - x - width : x)
  const runsIn = (text: string, { isForeign }: Style): TextRun[] =>
    runsOf(text, isForeign ? 'auto' : direction)
  const widths = new Map<string, number>()
  /** Sets the font. Measuring shapes the text, so each run is measured once. */
  function widthOfRun({ text, isArabic }: TextRun, style: Style): number {
    const font = fontOf(isArabic, style)
    pdf.font(font).fontSize(style.size)
    const key = `${font} ${style.size} ${text}`
    const width = widths.get(key) ?? pdf.widthOfString(text, { features: [] })
    widths.set(key, width)
    return width
  }
  const widthOf = (text: string, style: Style): number =>
    runsIn(text, style).reduce((sum, each) => sum + widthOfRun(each, style), 0)
  function drawLine(text: string, top: number, box: Box, style: Style): void {
    const isAtRight = isRtl !== (box.align === 'end')
    let x = leftOf(box) + (isAtRight ? box.width - widthOf(text, style) : 0)
    for (const each of runsIn(text, style)) {
      const width = widthOfRun(each, style)
      pdf.fillColor(style.color ?? INK)
      pdf.text(each.text, x, top + style.size, { lineBreak: false, features: [], baseline: 'alphabetic' })
      x += width
    }
  }
  function linesOf(foreign: string, width: number, style: Style): string[] {
    const lines: string[] = []
    const text = spellsMissing
      ? spellMissing(foreign, (each) => each !== '\n' && !isDirectionMark(each) && isMissing(each))
      : foreign
    // Words of one direction have the same width alone, which is measured once.
    const isPlain = !MIXED.test(text)
    const space = isPlain ? widthOf(' ', style) : 0
    for (const paragraph of text.split('\n')) {
      let line = ''
      let used = 0
      for (const word of paragraph.split(' ').flatMap((each) => shortened(each, width, style))) {
        const longer = line === '' ? word : `${line} ${word}`
        const wide = isPlain
          ? used + (line === '' ? 0 : space) + widthOf(word, style)
          : widthOf(longer, style)
        if (line !== '' && wide > width) {
          lines.push(line)
          line = word
          used = isPlain ? widthOf(word, style) : 0
        } else {
          line = longer
          used = wide
        }
      }
      lines.push(line)
    }
    return lines
  }
  /** A word that is wider than its column is broken. */
  function shortened(word: string, width: number, style: Style): string[] {
    if (widthOf(word, style) <= width) return [word]
    const parts: string[] = []
    let part = ''
    for (const character of word) {
      if (part !== '' && widthOf(part + character, style) > width) {
        parts.push(part)
        part = ''
      }
      part += character
    }
    return [...parts, part]
  }
  const leading = ({ size }: Style): number => size * 1.5
  let pages = 0
  function beginPage(): void {
    pages += 1
    y = PAGE.margin
    if (!footer) return
    const box: Box = { x: PAGE.margin, width: WIDTH, align: 'end' }
    drawLine(footer(pages), BOTTOM + 16, box, { size: 8, color: INK_2 })
  }
  beginPage()
  return {
    pdf,
    isRtl,
    leftOf,
    widthOf,
    drawLine,
    linesOf,
    leading,
    get y() {
      return y
    },
    move(by: number): void {
      y += by
    },
    moveTo(top: number): void {
      y = top
    },
    /** Begins a new page where less than this is left. */
    need(height: number): void {
      if (y + height <= BOTTOM) return
      pdf.addPage()
      beginPage()
    },
    heightOf: (text: string, width: number, style: Style): number =>
      linesOf(text, width, style).length * leading(style),
    /** Writes wrapped lines from `top` and returns the height below them. */
    write(text: string, top: number, box: Box, style: Style): number {
      const lines = linesOf(text, box.width, style)
      for (const [place, line] of lines.entries()) drawLine(line, top + place * leading(style), box, style)
      return top + lines.length * leading(style)
    },
    rule(color = RULE, width = 0.75): void {
      pdf.moveTo(PAGE.margin, y).lineTo(RIGHT, y).lineWidth(width).strokeColor(color).stroke()
    },
  }
}
export type Pen = ReturnType<typeof penOn>
