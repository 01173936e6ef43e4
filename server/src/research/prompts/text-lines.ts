// Limits foreign texts to one line and a length.

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const INVISIBLE =
  /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** One visible line of bounded length that the database accepts; empty if the value is not a string. */
export function toLine(value: unknown, charactersMax: number): string {
  if (typeof value !== 'string') return ''
  const visible = value
    .slice(0, 4 * charactersMax)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(INVISIBLE, '')
  return cutAtWord(visible.trim(), charactersMax)
}

/** Cuts a text, between words if possible. */
export function cutAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const cut = text.slice(0, isHighSurrogate(text, charactersMax - 1) ? charactersMax - 1 : charactersMax)
  const space = cut.lastIndexOf(' ')
  return (space > charactersMax / 2 ? cut.slice(0, space) : cut).trimEnd()
}

export const isHighSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code < 0xdc00
}
