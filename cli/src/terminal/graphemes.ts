// Splits text into what a reader takes for one character.
import { isSimple } from './width.ts'

let segmenter: Intl.Segmenter | null = null

export function graphemesOf(text: string): string[] {
  if (isSimple(text.replaceAll('\n', ''))) return text.split('')
  // Opening a segmenter takes milliseconds, and most sessions never need one.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
