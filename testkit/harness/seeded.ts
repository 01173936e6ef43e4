// Repeatable random numbers and choices.

export type Random = () => number

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random element. Undefined for an empty list. */
export const pickOne = <T>(random: Random, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]

/** A random key, with a probability in proportion to its weight. */
export function chooseWeighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries(weights) as [K, number][]
  let position = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    position -= weight
    if (position < 0) return key
  }
  return (entries.at(-1) as [K, number])[0]
}
