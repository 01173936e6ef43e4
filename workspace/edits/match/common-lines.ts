// The longest common subsequence of two lists.

/** Beyond this many cells, only the common prefix and suffix are used. */
const CELLS_MAX = 1_000_000

/** Pairs of positions, ascending on both sides. */
export function findCommonPairs(
  left: number,
  right: number,
  isEqual: (leftAt: number, rightAt: number) => boolean,
): [left: number, right: number][] {
  let start = 0
  while (start < left && start < right && isEqual(start, start)) start++
  let tail = 0
  while (tail < left - start && tail < right - start && isEqual(left - 1 - tail, right - 1 - tail)) tail++
  const middle = findMiddlePairs(start, left - tail, right - tail, isEqual)
  const same = (count: number, pair: (i: number) => [number, number]) =>
    Array.from({ length: count }, (_, i) => pair(i))
  return [...same(start, (i) => [i, i]), ...middle, ...same(tail, (i) => [left - tail + i, right - tail + i])]
}

function findMiddlePairs(
  start: number,
  leftEnd: number,
  rightEnd: number,
  isEqual: (leftAt: number, rightAt: number) => boolean,
): [number, number][] {
  const [height, width] = [leftEnd - start, rightEnd - start]
  if (height === 0 || width === 0 || height * width > CELLS_MAX) return []
  const best = measureCommon(height, width, (i, j) => isEqual(start + i, start + j))
  const at = (i: number, j: number) => best[i * (width + 1) + j] ?? 0
  const pairs: [number, number][] = []
  for (let [i, j] = [0, 0]; i < height && j < width; ) {
    if (isEqual(start + i, start + j)) pairs.push([start + i++, start + j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** Length of the common subsequence from (i, j) on. */
function measureCommon(
  height: number,
  width: number,
  isEqual: (i: number, j: number) => boolean,
): Uint32Array {
  const best = new Uint32Array((height + 1) * (width + 1))
  for (let i = height - 1; i >= 0; i--)
    for (let j = width - 1; j >= 0; j--) {
      const here = i * (width + 1) + j
      const below = best[here + width + 1] ?? 0
      best[here] = isEqual(i, j) ? 1 + (best[here + width + 2] ?? 0) : Math.max(below, best[here + 1] ?? 0)
    }
  return best
}
