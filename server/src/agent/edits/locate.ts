// The ladder: where in a file do the lines stand that a model quoted? Each level forgives a little more. The first level
// at which they are found decides, and it must find them exactly once: a place that is guessed is worse than a refusal.
import type { IsComment } from './comment-lines.ts'
import { folded } from './fold.ts'

export type Level = 0 | 1 | 2 | 3 | 4 | 5

/** `quoted[i]` is the line of the file that FIND's line i stands for; undefined for an empty one that is not there. */
export type Place = { level: Level; start: number; end: number; quoted: readonly (number | undefined)[] }

export type Located = Place | { reason: 'find_missing' | 'find_ambiguous' }

/** `find` has something in it besides empty lines. */
export function locate(lines: readonly string[], find: readonly string[], isComment: IsComment): Located {
  for (const level of LEVELS) {
    const places = level < 4 ? wholePlaces(lines, find, level) : gappedPlaces(lines, find, level, isComment)
    if (places.length > 1) return { reason: 'find_ambiguous' }
    if (places[0]) return places[0]
  }
  return { reason: 'find_missing' }
}

const LEVELS: readonly Level[] = [0, 1, 2, 3, 4, 5]

/** What two lines have in common where a level holds them to be equal. */
const KEYS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => folded(line).trimEnd(),
  (line) => folded(line).trim(),
]
export const keyOf = (level: Level): ((line: string) => string) => KEYS[Math.min(level, 3)] ?? String

/** All lines in a row. Two places are enough to know that there is not one. */
function wholePlaces(lines: readonly string[], find: readonly string[], level: Level): Place[] {
  const key = keyOf(level)
  const [there, here] = [lines.map(key), find.map(key)]
  const places: Place[] = []
  for (let start = 0; start + here.length <= there.length && places.length < 2; start++) {
    if (!here.every((line, i) => line === there[start + i])) continue
    places.push({ level, start, end: start + here.length, quoted: here.map((_, i) => start + i) })
  }
  return places
}

/** Lines in their order, with empty lines left out on either side and, one level up, comments left out of FIND. */
function gappedPlaces(
  lines: readonly string[],
  find: readonly string[],
  level: Level,
  isComment: IsComment,
): Place[] {
  const key = keyOf(level)
  const there = lines.map(key)
  const here = find.map(key)
  const maySkip = (at: number) => there[at] === '' || (level === 5 && isComment(lines[at] ?? ''))
  const places: Place[] = []
  for (let start = 0; start < there.length && places.length < 2; start++) {
    const quoted = there[start] === '' ? undefined : follow(there, here, start, maySkip)
    if (quoted) places.push({ level, start, end: endOf(quoted), quoted })
  }
  return places
}

function follow(
  there: readonly string[],
  here: readonly string[],
  start: number,
  maySkip: (at: number) => boolean,
): (number | undefined)[] | undefined {
  const quoted: (number | undefined)[] = []
  let at = start
  for (const line of here) {
    if (line === '') {
      quoted.push(there[at] === '' ? at++ : undefined)
      continue
    }
    while (at > start && at < there.length && there[at] !== line && maySkip(at)) at++
    if (there[at] !== line) return undefined
    quoted.push(at++)
  }
  return quoted
}

const endOf = (quoted: readonly (number | undefined)[]): number =>
  1 + Math.max(...quoted.filter((at) => at !== undefined))
