// The used parts of two packages without type declarations.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  /** Of the package fontkit. */
  export type OpenedFont = {
    hasGlyphForCodePoint(codePoint: number): boolean
    /** Each glyph keeps the characters that it was first used for. */
    _glyphs: Record<number, unknown>
  }
  /** `unicode` has the characters of each glyph of an embedded font, for copying and searching. */
  type UsedFont = { readonly font: OpenedFont; readonly unicode?: number[][] }
  type TextOptions = { lineBreak?: boolean; features?: string[]; baseline?: 'alphabetic' }

  export default class PdfDocument extends Readable {
    constructor(options: {
      size: 'A4'
      margin: number
      lang: string
      displayTitle: boolean
      info: { Title: string; Author: string; CreationDate: Date; ModDate: Date }
    })
    readonly _font: { readonly font: OpenedFont }
    /** The used fonts by their registered names. */
    readonly _fontFamilies: Readonly<Record<string, UsedFont>>
    addPage(): this
    end(): void
    fill(color: string): this
    fillColor(color: string): this
    font(name: string): this
    fontSize(size: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    moveTo(x: number, y: number): this
    path(data: string): this
    registerFont(name: string, file: Buffer | OpenedFont): this
    restore(): this
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this
    save(): this
    scale(factor: number): this
    stroke(): this
    strokeColor(color: string): this
    text(text: string, x: number, y: number, options: TextOptions): this
    translate(x: number, y: number): this
    widthOfString(text: string, options: TextOptions): number
  }
}

declare module 'bidi-js' {
  export default function createBidi(): {
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl' | 'auto'): { levels: Uint8Array }
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>
  }
}
