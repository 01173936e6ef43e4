// How a quotation lies over a text: which of its words stand there, in order, and which on either side are left over.

/** Pairs of places that agree, and the places in the quotation and in the covered text that have no partner. */
export type Alignment = {
  readonly first: number
  readonly last: number
  readonly matched: number
  readonly extraInQuote: readonly number[]
  readonly extraInText: readonly number[]
}

/**
 * Lays the whole quotation over the best part of a window of the text, with the fewest words left over. What stands in
 * the window before and after costs nothing. Null when no word agrees.
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

/** Row by row over the quotation: the least number of words left over up to each place of the window. */
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

/** The way back from the cheapest end: the places that agree, in order. */
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
  // Of equal ways the one that covers more text is taken: what it skips over is then seen to be left over.
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
