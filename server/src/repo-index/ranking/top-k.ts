// The best few of many, without sorting them all.

export type ScoredItem = { readonly at: number; readonly score: number }

/** Keeps the `most` with the highest scores; of equal ones those that came with the lower number. */
export function createTopK(most: number) {
  const places = new Uint32Array(most)
  const scores = new Float64Array(most)
  let size = 0

  // A heap with the worst on top: it is the one that the next must beat.
  const isWorse = (a: number, b: number): boolean => {
    const [one, other] = [scores[a] ?? 0, scores[b] ?? 0]
    return one < other || (one === other && (places[a] ?? 0) > (places[b] ?? 0))
  }

  function swap(a: number, b: number): void {
    const [place, score] = [places[a] ?? 0, scores[a] ?? 0]
    places[a] = places[b] ?? 0
    scores[a] = scores[b] ?? 0
    places[b] = place
    scores[b] = score
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (!isWorse(at, above)) return
      swap(at, above)
      at = above
    }
  }

  function sink(): void {
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
    /** What a score must exceed to be kept. */
    get bar(): number {
      return size < most ? Number.NEGATIVE_INFINITY : (scores[0] ?? 0)
    },
    offer(at: number, score: number): void {
      if (size < most) {
        places[size] = at
        scores[size] = score
        size += 1
        rise(size - 1)
      } else if (most > 0 && (score > (scores[0] ?? 0) || (score === scores[0] && at < (places[0] ?? 0)))) {
        places[0] = at
        scores[0] = score
        sink()
      }
    },
    /** The best first. */
    list(): ScoredItem[] {
      return Array.from({ length: size }, (_, i) => ({ at: places[i] ?? 0, score: scores[i] ?? 0 })).sort(
        (a, b) => b.score - a.score || a.at - b.at,
      )
    },
  }
}
