// Counts the tokens of ASCII text several times faster than the tokenizer: the same pieces by simpler patterns, and the counts of
// frequent pieces from a small cache.

/** The pattern of the tokenizer, with the classes that ASCII has. */
const PIECES =
  /[^\r\na-zA-Z0-9]?[A-Z]*[a-z]+(?:'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE]))?|[^\r\na-zA-Z0-9]?[A-Z]+(?:'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE]))?|[0-9]{1,3}| ?[^\sa-zA-Z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/g
const ASCII = /^[\x00-\x7f]*$/
const CACHE_MAX = 20_000
/** Longer pieces rarely repeat. */
const PIECE_CHARACTERS_MAX = 32

const counts = new Map<string, number>()

/** No token spans such a line break, whatever stands on both sides. */
const CUT = /(?<=\n)(?=[^\s/])/

/** `count` counts the tokens of a text that is not ASCII, or of one piece. */
export function countByPieces(text: string, count: (text: string) => number): number {
  if (ASCII.test(text)) return countAscii(text, count)
  let sum = 0
  let plain = ''
  for (const part of text.split(CUT)) {
    if (ASCII.test(part)) plain += part
    else {
      sum += countAscii(plain, count) + count(part)
      plain = ''
    }
  }
  return sum + countAscii(plain, count)
}

function countAscii(text: string, count: (piece: string) => number): number {
  let sum = 0
  for (const piece of text.match(PIECES) ?? []) {
    let tokens = counts.get(piece)
    if (tokens === undefined) {
      tokens = count(piece)
      if (piece.length <= PIECE_CHARACTERS_MAX) {
        if (counts.size >= CACHE_MAX) counts.clear()
        // A copy, because a piece keeps its whole text in memory.
        counts.set(Buffer.from(piece, 'latin1').toString('latin1'), tokens)
      }
    }
    sum += tokens
  }
  return sum
}
