// Finds a quote in a text. Whitespace may differ.

type Piece = { readonly text: string; readonly isQuote: boolean }

export function splitAroundQuote(text: string, quote: string): readonly Piece[] {
  const words = quote.trim().split(/\s+/).filter(Boolean)
  const found = words.length > 0 ? new RegExp(words.map(literal).join('\\s+'), 'u').exec(text) : null
  if (!found) return [{ text, isQuote: false }]
  const end = found.index + found[0].length
  return [
    { text: text.slice(0, found.index), isQuote: false },
    { text: found[0], isQuote: true },
    { text: text.slice(end), isQuote: false },
  ]
}

const literal = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, (mark) => `\\${mark}`)
