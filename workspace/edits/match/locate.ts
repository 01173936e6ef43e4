// Finds the lines of a file that a model quoted. Each match level is more tolerant. The first level with a match
// decides, and it must match exactly once: a guessed place is worse than a refusal.
import type { CommentMatcher } from './comment-lines.ts'
import { indexLines, KEYS, type KeyedLines, type KeyLevel } from './line-keys.ts'

export type MatchLevel = 0 | 1 | 2 | 3 | 4 | 5

/** `quoted[i]` is the file line that line i of FIND matches; undefined for a blank line that the file does not have. */
export type LineMatch = {
  level: MatchLevel
  start: number
  end: number
  quoted: readonly (number | undefined)[]
}

export type LocateResult = LineMatch | { reason: 'find_missing' | 'find_ambiguous' | 'too_costly' }

/** Limit of line comparisons for one FIND; real files need a few thousand. */
const COMPARISONS_MAX = 500_000

type ComparisonBudget = { left: number }

/** `find` has at least one non-blank line. */
export function locate(
  lines: readonly string[],
  find: readonly string[],
  isComment: CommentMatcher,
): LocateResult {
  const budget: ComparisonBudget = { left: COMPARISONS_MAX }
  for (const level of LEVELS) {
    const places =
      level < 4
        ? findContiguous(lines, find, level as KeyLevel, budget)
        : findWithGaps(lines, find, level, isComment, budget)
    if (budget.left <= 0) return { reason: 'too_costly' }
    if (places.length > 1) return { reason: 'find_ambiguous' }
    if (places[0]) return places[0]
  }
  return { reason: 'find_missing' }
}

const LEVELS: readonly MatchLevel[] = [0, 1, 2, 3, 4, 5]

/** Matches consecutive lines, starting from the rarest one. Two matches already prove ambiguity. */
function findContiguous(
  lines: readonly string[],
  find: readonly string[],
  level: KeyLevel,
  budget: ComparisonBudget,
): LineMatch[] {
  if (find.length > lines.length) return []
  const there = indexLines(lines, level)
  const here = find.map(KEYS[level])
  const rarest = findRarest(here, there)
  if (rarest === undefined) return []
  const places: LineMatch[] = []
  for (const at of positionsOf(there.keys, here[rarest] ?? '', budget)) {
    const start = at - rarest
    if (!matchesAt(there.keys, here, start, budget)) continue
    places.push({ level, start, end: start + here.length, quoted: here.map((_, i) => start + i) })
    if (places.length > 1) break
  }
  return places
}

/** The line of FIND that is rarest in the file; undefined if one is missing. */
function findRarest(here: readonly string[], { counts }: KeyedLines): number | undefined {
  let [rarest, least] = [0, Number.POSITIVE_INFINITY]
  for (const [i, key] of here.entries()) {
    const often = counts.get(key) ?? 0
    if (often === 0) return undefined
    if (often < least) [rarest, least] = [i, often]
  }
  return rarest
}

function* positionsOf(keys: readonly string[], key: string, budget: ComparisonBudget): Generator<number> {
  for (let at = keys.indexOf(key); at >= 0 && budget.left > 0; at = keys.indexOf(key, at + 1)) yield at
}

function matchesAt(
  there: readonly string[],
  here: readonly string[],
  start: number,
  budget: ComparisonBudget,
): boolean {
  if (start < 0 || start + here.length > there.length) return false
  for (let i = 0; i < here.length; i++) {
    budget.left--
    if (here[i] !== there[start + i]) return false
  }
  return true
}

/** Matches lines in order. Blank lines may be missing on either side; at level 5 comments may be missing in FIND. */
function findWithGaps(
  lines: readonly string[],
  find: readonly string[],
  level: MatchLevel,
  isComment: CommentMatcher,
  budget: ComparisonBudget,
): LineMatch[] {
  const { keys: there, counts } = indexLines(lines, 3)
  const here = find.map(KEYS[3])
  const first = here.find((key) => key !== '')
  if (first === undefined || here.some((key) => key !== '' && !counts.get(key))) return []
  const maySkip = (at: number) => there[at] === '' || (level === 5 && isComment(lines[at] ?? ''))
  const places: LineMatch[] = []
  for (const start of positionsOf(there, first, budget)) {
    const quoted = matchInOrder(there, here, start, maySkip, budget)
    if (quoted) places.push({ level, start, end: endOf(quoted), quoted })
    if (places.length > 1) break
  }
  return places
}

function matchInOrder(
  there: readonly string[],
  here: readonly string[],
  start: number,
  maySkip: (at: number) => boolean,
  budget: ComparisonBudget,
): (number | undefined)[] | undefined {
  const quoted: (number | undefined)[] = []
  let at = start
  for (const line of here) {
    budget.left--
    if (line === '') {
      quoted.push(there[at] === '' ? at++ : undefined)
      continue
    }
    for (; at > start && at < there.length && there[at] !== line && maySkip(at); at++) budget.left--
    if (there[at] !== line || budget.left <= 0) return undefined
    quoted.push(at++)
  }
  return quoted
}

const endOf = (quoted: readonly (number | undefined)[]): number =>
  1 + (quoted.findLast((at) => at !== undefined) ?? -1)
