// Aligns a quote with a text: which words match in order, and which words on either side are left over.

/** Matching range, and the unmatched indexes in the quote and in the covered text. */
export type Alignment = {
  readonly first: number
  readonly last: number
  readonly matched: number
  readonly extraInQuote: readonly number[]
  readonly extraInText: readonly number[]
}

/**
 * Aligns the whole quote with the best part of a window, with the fewest unmatched words. Words of the window before
 * and after the match cost nothing. Null if no word matches.
 */
export function align(quote: Int32Array, text: Int32Array, from: number, to: number): Alignment | null {
  const width = to - from
  const costs = computeCosts(quote, text, from, width)
  const pairs = tracePairs(quote, text, from, width, costs)
  const [first, last] = [pairs[0], pairs.at(-1)]
  if (!first || !last) return null
  const inQuote = new Set(pairs.map(([at]) => at))
  const inText = new Set(pairs.map(([, at]) => at))
  return {
    first: first[1],
    last: last[1],
    matched: pairs.length,
    extraInQuote: Array.from(quote.keys()).filter((at) => !inQuote.has(at)),
    extraInText: Array.from({ length: last[1] - first[1] }, (_, i) => first[1] + i).filter(
      (at) => !inText.has(at),
    ),
  }
}

/** Edit distance, row by row: the fewest unmatched words up to each index of the window. */
function computeCosts(quote: Int32Array, text: Int32Array, from: number, width: number): Uint16Array {
  const columns = width + 1
  const costs = new Uint16Array((quote.length + 1) * columns)
  for (let i = 1; i <= quote.length; i++) {
    const row = i * columns
    costs[row] = i
    for (let j = 1; j <= width; j++) {
      const isSame = quote[i - 1] === text[from + j - 1]
      const diagonal = (costs[row - columns + j - 1] ?? 0) + (isSame ? 0 : 1)
      const down = (costs[row - columns + j] ?? 0) + 1
      const right = (costs[row + j - 1] ?? 0) + 1
      costs[row + j] = Math.min(diagonal, down, right)
    }
  }
  return costs
}

/** Traces back from the cheapest end and returns the matching pairs in order. */
function tracePairs(
  quote: Int32Array,
  text: Int32Array,
  from: number,
  width: number,
  costs: Uint16Array,
): [number, number][] {
  const columns = width + 1
  const cost = (i: number, j: number) => costs[i * columns + j] ?? 0
  const ends = Array.from({ length: columns }, (_, j) => j)
  // Among equal costs the longer range wins, so skipped words are visible as unmatched.
  const best = ends.reduce((least, j) => (cost(quote.length, j) <= cost(quote.length, least) ? j : least), 0)
  const pairs: [number, number][] = []
  for (let i = quote.length, j = best; i > 0 && j > 0; ) {
    const isSame = quote[i - 1] === text[from + j - 1]
    const isSkipped = !isSame && cost(i, j) === cost(i, j - 1) + 1
    if (isSkipped) j -= 1
    else if (cost(i, j) === cost(i - 1, j - 1) + (isSame ? 0 : 1)) {
      i -= 1
      j -= 1
      if (isSame) pairs.push([i, from + j])
    } else i -= 1
  }
  return pairs.reverse()
}
