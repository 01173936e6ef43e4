// A package version that a dependency file names.
import type { Ecosystem } from '../ecosystems.ts'

export type Dependency = {
  readonly ecosystem: Ecosystem
  readonly name: string
  readonly version: string
  /** The line of its version, from 1: the line that an upgrade changes. */
  readonly line: number
}

/** Finds the line of an offset. Offsets may come in any order. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** Dependencies that a pattern with the groups `name` and `version` finds. */
export function matchAll(text: string, pattern: RegExp, ecosystem: Ecosystem): Dependency[] {
  const lineOf = lineFinder(text)
  return [...text.matchAll(pattern)].flatMap((match) => {
    const { name, version } = match.groups ?? {}
    return name && version
      ? [{ ecosystem, name, version, line: lineOf(match.index + match[0].lastIndexOf(version)) }]
      : []
  })
}
