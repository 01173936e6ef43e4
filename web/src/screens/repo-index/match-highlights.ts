// Highlights the search terms in a line.

export type Piece = { text: string; isFound: boolean }

const SHORTEST = 3
const WORDS_MAX = 20

/** The words of a query without stop words such as `and`. */
export function searchTerms(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words)]
    .filter((word) => word.length >= SHORTEST && !STOP_WORDS.has(word))
    .slice(0, WORDS_MAX)
}

const STOP_WORDS = new Set(
  'and the for with from that this what where when how does not are is was into les des pour dans'.split(' '),
)

/** Splits a line and marks the matches. */
export function highlightMatches(line: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return [{ text: line, isFound: false }]
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  // Words contain letters, digits and underscores only: no escaping needed.
  return line
    .split(new RegExp(`(${longestFirst.join('|')})`, 'giu'))
    .map((text, at) => ({ text, isFound: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
