// Reports variables with our prefix that the service does not read. Otherwise a misspelt variable would silently have no effect.
import type { Variables } from './environment.ts'

const PREFIX = 'SERVICE_'
/** A name with a larger edit distance is no typo. */
const DISTANCE_MAX = 4

/** One sentence for each unknown variable. It has the name, never the value. */
export function describeUnknownVariables(variables: Variables, known: readonly string[]): string[] {
  const names = new Set(known)
  return Object.keys(variables)
    .filter((name) => name.startsWith(PREFIX) && variables[name]?.trim() && !names.has(name))
    .map((name) => {
      const similar = nearest(name, known)
      return `${name} is not a variable of this service. ${similar ? `Did you mean ${similar}?` : 'Remove it or correct its name.'}`
    })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .filter((each) => each.startsWith(PREFIX))
    .map((each) => ({ each, distance: distance(name, each) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= DISTANCE_MAX ? best.each : undefined
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let least = Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[to.length] ?? 0
}
