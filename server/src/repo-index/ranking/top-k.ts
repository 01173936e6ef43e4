// Selects the highest scores without sorting all items.

export type ScoredItem = { readonly at: number; readonly score: number }

/** Keeps the `most` items with the highest scores. Ties go to the lower number. */
export function createTopK(most: number) {
  const numbers = new Uint32Array(most)
  const scores = new Float64Array(most)
  let size = 0

  // A min-heap: the lowest score is at the root.
  const isWorse = (a: number, b: number): boolean => {
    const [one, other] = [scores[a] ?? 0, scores[b] ?? 0]
    return one < other || (one === other && (numbers[a] ?? 0) > (numbers[b] ?? 0))
  }

  function swap(a: number, b: number): void {
    const [number, score] = [numbers[a] ?? 0, scores[a] ?? 0]
    numbers[a] = numbers[b] ?? 0
    scores[a] = scores[b] ?? 0
    numbers[b] = number
    scores[b] = score
  }

  function siftUp(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (!isWorse(at, above)) return
      swap(at, above)
      at = above
    }
  }

  function siftDown(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      if (left >= size) return
      const worst = left + 1 < size && isWorse(left + 1, left) ? left + 1 : left
      if (!isWorse(worst, at)) return
      swap(at, worst)
      at = worst
    }
  }

  return {
    /** The score that a new item must exceed. */
    get threshold(): number {
      return size < most ? Number.NEGATIVE_INFINITY : (scores[0] ?? 0)
    },
    offer(at: number, score: number): void {
      if (size < most) {
        numbers[size] = at
        scores[size] = score
        size += 1
        siftUp(size - 1)
      } else if (most > 0 && (score > (scores[0] ?? 0) || (score === scores[0] && at < (numbers[0] ?? 0)))) {
        numbers[0] = at
        scores[0] = score
        siftDown()
      }
    },
    /** The best first. */
    list(): ScoredItem[] {
      return Array.from({ length: size }, (_, i) => ({ at: numbers[i] ?? 0, score: scores[i] ?? 0 })).sort(
        (a, b) => b.score - a.score || a.at - b.at,
      )
    },
  }
}
