// Measures how similar two pieces of code are.

/** The share of common tokens, counted with multiplicity: 1 for the same tokens in any order. */
export function similarity(left: readonly string[], right: readonly string[]): number {
  const [ours, theirs] = [left.flatMap(tokensOf), right.flatMap(tokensOf)]
  return (2 * commonTokens(ours, theirs)) / Math.max(1, ours.length + theirs.length)
}

/** Whether one line looks like a shortened, extended or slightly changed version of the other. */
export function isVersionOf(left: string, right: string): boolean {
  const [ours, theirs] = [tokensOf(left), tokensOf(right)]
  const shorter = Math.min(ours.length, theirs.length)
  return shorter >= TOKENS_MIN && commonTokens(ours, theirs) >= shorter * VERSION_SHARE
}

export const tokensOf = (line: string): string[] => line.match(/\w+|[^\s\w]/g) ?? []

/** Lines with fewer tokens, such as a closing bracket, are similar to too many others. */
const TOKENS_MIN = 4
const VERSION_SHARE = 0.7

function commonTokens(ours: readonly string[], theirs: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const token of ours) counts.set(token, (counts.get(token) ?? 0) + 1)
  let common = 0
  for (const token of theirs) {
    const count = counts.get(token) ?? 0
    if (count > 0) common++
    counts.set(token, count - 1)
  }
  return common
}
