// The format of a text file: line endings and byte order mark. An edit changes the text and keeps the local format.

const MARK = '\ufeff'

export type TextFormat = { readonly hasMark: boolean; readonly hasReturns: boolean }

/** Null for mixed line endings. */
export function formatOf(text: string): TextFormat | null {
  const returns = text.split('\r\n').length - 1
  const ends = text.split('\n').length - 1
  if (returns > 0 && returns < ends) return null
  return { hasMark: text.startsWith(MARK), hasReturns: returns > 0 }
}

/** The text without byte order mark and with LF line endings. */
export const withoutFormat = (text: string): string => text.replace(MARK, '').replaceAll('\r\n', '\n')

export function withFormat(words: string, { hasMark, hasReturns }: TextFormat): string {
  const text = withoutFormat(words)
  return (hasMark ? MARK : '') + (hasReturns ? text.replaceAll('\n', '\r\n') : text)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Null when the bytes are not text. */
export function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
