// The two-sample Kolmogorov–Smirnov test: could two samples come from the same source?

/** The probability of a distance at least as large as the observed one, if both came from the same source. */
export function sameSourceProbability(first: readonly number[], second: readonly number[]): number {
  const n = (first.length * second.length) / (first.length + second.length)
  const scaled = (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n)) * distance(first, second)
  let sum = 0
  for (let k = 1; k <= 100; k++) sum += 2 * (-1) ** (k - 1) * Math.exp(-2 * k * k * scaled * scaled)
  // The series does not converge near zero, where the probability is one.
  return scaled < 0.2 ? 1 : Math.min(1, Math.max(0, sum))
}

/** The largest difference between the two cumulative distributions. */
export function distance(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [first.toSorted((x, y) => x - y), second.toSorted((x, y) => x - y)]
  let [i, j, most] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] ?? 0, b[j] ?? 0)
    while (i < a.length && (a[i] ?? 0) <= value) i++
    while (j < b.length && (b[j] ?? 0) <= value) j++
    most = Math.max(most, Math.abs(i / a.length - j / b.length))
  }
  return most
}

export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((x, y) => x - y)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
