// Splits sentences by the punctuation of several languages.

export type TextSpan = { readonly start: number; readonly end: number }

// End marks with closing quotation marks, or a blank line.
const END = /[.!?…]{1,8}["'”’»)\]]{0,4}|[。！？؟۔।]["'”’»」』)\]]{0,4}|\n\s{0,20}\n/g

const ABBREVIATIONS = new Set(
  (
    'dr mr mrs ms prof st no nos vs etc fig figs eq approx inc ltd co corp jr sr al cf vol pp ed eds est dept gov gen ' +
    'rep sen e.g i.e u.s u.k u.n e.u a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec ca ch sec art env ' +
    'm mme mlle av bd tél réf p ex c.-à-d sra dra exmo nº n°'
  ).split(' '),
)

/** Trimmed spans that cover everything except whitespace. */
export function splitSentences(text: string): TextSpan[] {
  const spans: TextSpan[] = []
  const add = (from: number, to: number) => {
    const piece = text.slice(from, to)
    const start = from + piece.length - piece.trimStart().length
    const end = from + piece.trimEnd().length
    if (end > start) spans.push({ start, end })
  }
  const last = Array.from(text.matchAll(END)).reduce((from, match) => {
    const end = match.index + match[0].length
    if (!isSentenceEnd(text, match[0], match.index)) return from
    add(from, end)
    return end
  }, 0)
  add(last, text.length)
  return spans
}

function isSentenceEnd(text: string, mark: string, at: number): boolean {
  if (/^[\n。！？؟۔।]/.test(mark)) return true
  const after = text.slice(at + mark.length, at + mark.length + 12)
  if (after !== '' && !/^\s/.test(after)) return false
  if (/^\s+\p{Ll}/u.test(after)) return false
  if (mark !== '.') return true
  return after.trim() === '' || !isAbbreviated(text.slice(Math.max(0, at - 16), at))
}

function isAbbreviated(before: string): boolean {
  const word = /[^\s([{"'“‘«]*$/.exec(before)?.[0] ?? ''
  return /^\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}
