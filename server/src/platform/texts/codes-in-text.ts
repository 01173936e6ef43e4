// Finds codes in a text from right to left, where the Unicode algorithm would reverse the groups of a phone number or date.

export type TextPart = { readonly text: string; readonly isCode: boolean }

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Codes to dial, phone numbers in groups, and digits joined by signs, such as dates, times and account numbers. */
const CODE = /(?<![*#])[*#]+\d[\d*#]*|\+\d[\d ()-]{4,18}\d|\b0\d+(?:[ -]\d+)+|\b\d+(?:[-/.:,]\d+)+\b/g

/** By its first letter. */
export const isRightToLeft = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)

/** A text without letters from right to left is one part. */
export function splitCodes(text: string): TextPart[] {
  if (!RIGHT_TO_LEFT.test(text)) return text === '' ? [] : [{ text, isCode: false }]
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: code, index } of text.matchAll(CODE)) {
    if (index > end) parts.push({ text: text.slice(end, index), isCode: false })
    parts.push({ text: code, isCode: true })
    end = index + code.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isCode: false })
  return parts
}
