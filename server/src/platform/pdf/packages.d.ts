// The used parts of two packages without type declarations.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  type TextOptions = { lineBreak?: boolean; features?: string[]; baseline?: 'alphabetic' }

  export default class PdfDocument extends Readable {
    constructor(options: {
      size: 'A4'
      margin: number
      lang: string
      displayTitle: boolean
      info: { Title: string; Author: string; CreationDate: Date; ModDate: Date }
    })
    /** Of the package fontkit. */
    readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } }
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
    registerFont(name: string, file: Buffer): this
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
