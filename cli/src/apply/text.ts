// The form of a text file beside its words: how its lines end, and the mark that some programs put before the first.
// An edit changes the words; the form stays as the file on this computer has it.

const MARK = '\ufeff'

export type Form = { readonly hasMark: boolean; readonly hasReturns: boolean }

/** Null where lines end in both ways: then nothing about them can be told from the form. */
export function formOf(text: string): Form | null {
  const returns = text.split('\r\n').length - 1
  const ends = text.split('\n').length - 1
  if (returns > 0 && returns < ends) return null
  return { hasMark: text.startsWith(MARK), hasReturns: returns > 0 }
}

/** The words alone: without the mark, every line ended by a line feed. */
export const wordsOf = (text: string): string => text.replace(MARK, '').replaceAll('\r\n', '\n')

export function inForm(words: string, { hasMark, hasReturns }: Form): string {
  const text = wordsOf(words)
  return (hasMark ? MARK : '') + (hasReturns ? text.replaceAll('\n', '\r\n') : text)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Null when the bytes are no text. */
export function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
