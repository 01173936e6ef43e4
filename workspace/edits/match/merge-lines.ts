// Builds the new lines of a matched range. Lines that the model only quoted keep the file's text, lines it left out
// stay, and added lines go where their neighbours say.
import { findCommonPairs } from './common-lines.ts'
import type { LineMatch, MatchLevel } from './locate.ts'
import type { Restyle, RestyleRefusal } from './restyle.ts'
import { isVersionOf } from './similarity.ts'

export type MergeResult = { lines: string[] } | { reason: RestyleRefusal | 'place_unknown' }

/** One line of the range: quoted in FIND, skipped by it, or (`real` undefined) quoted but not in the file. */
type MergeRow = { quoted: string | undefined; real: string | undefined }

export function mergeLines(
  lines: readonly string[],
  place: LineMatch,
  find: readonly string[],
  replacement: readonly string[],
  restyle: Restyle,
): MergeResult {
  const rows = toRows(lines, place, find)
  const [ours, theirs] = numberLines(rows, replacement, place.level)
  const pairs = findCommonPairs(rows.length, replacement.length, (row, at) => ours[row] === theirs[at])
  const merged: string[] = []
  let [row, at] = [0, 0]
  for (const [nextRow, nextAt] of [...pairs, [rows.length, replacement.length] as const]) {
    const group = mergeGroup(rows.slice(row, nextRow), replacement.slice(at, nextAt), restyle)
    if ('reason' in group) return group
    for (const line of group.lines) merged.push(line)
    const kept = rows[nextRow]?.real
    if (kept !== undefined) merged.push(kept)
    row = nextRow + 1
    at = nextAt + 1
  }
  return { lines: merged }
}

function toRows(lines: readonly string[], place: LineMatch, find: readonly string[]): MergeRow[] {
  const rows: MergeRow[] = []
  let at = place.start
  for (const [i, real] of place.quoted.entries()) {
    for (; real !== undefined && at < real; at++) rows.push({ quoted: undefined, real: lines[at] })
    rows.push({ quoted: find[i], real: real === undefined ? undefined : lines[at++] })
  }
  return rows
}

/**
 * Numbers the rows and the new lines; equal numbers mean that the row is kept. At level 0, trailing whitespace is
 * significant. A skipped row equals nothing.
 */
function numberLines(rows: readonly MergeRow[], replacement: readonly string[], level: MatchLevel) {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const key = level === 0 ? line : line.trimEnd()
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const ours = rows.map(({ quoted }) => (quoted === undefined ? -1 : numberOf(quoted)))
  return [ours, replacement.map(numberOf)] as const
}

/** Merges the lines between two kept rows: quoted rows are replaced, skipped ones stay. */
function mergeGroup(rows: readonly MergeRow[], added: readonly string[], restyle: Restyle): MergeResult {
  const fresh: string[] = []
  for (const line of added) {
    const restyled = restyle(line)
    if ('reason' in restyled) return restyled
    fresh.push(restyled.line)
  }
  const isSkipped = rows.map(({ quoted }) => quoted === undefined)
  const skipped = rows.flatMap(({ quoted, real }) =>
    quoted === undefined && real !== undefined ? [real] : [],
  )
  if (skipped.length === 0 || fresh.length === 0) return { lines: [...skipped, ...fresh] }
  const [first, last] = [isSkipped.indexOf(false), isSkipped.lastIndexOf(false)]
  if (first < 0) return joinAroundBlanks(skipped, fresh)
  const gone = rows.slice(first, last + 1)
  if (gone.some(({ quoted }) => quoted === undefined)) return { reason: 'place_unknown' }
  // With equal counts, each new line replaces one row. Otherwise the outermost rows must be similar.
  const isAligned = fresh.length === gone.length
  const isHeadSure = first === 0 || isAligned || isLike(gone[0], fresh[0])
  const isTailSure = last === rows.length - 1 || isAligned || isLike(gone.at(-1), fresh.at(-1))
  if (!isHeadSure || !isTailSure) return { reason: 'place_unknown' }
  return { lines: [...skipped.slice(0, first), ...fresh, ...skipped.slice(first)] }
}

const isLike = (row: MergeRow | undefined, line = ''): boolean =>
  row?.real !== undefined && isVersionOf(row.real, line)

/** No row is removed: blank lines decide whether the new lines go before or after the skipped ones. */
function joinAroundBlanks(skipped: readonly string[], fresh: readonly string[]): MergeResult {
  const isSame =
    skipped.length === fresh.length && skipped.every((line, i) => line.trim() === fresh[i]?.trim())
  if (isSame) return { lines: [...skipped] }
  if (skipped.some((line) => line.trim() !== '')) return { reason: 'place_unknown' }
  const [hasAirBefore, hasAirAfter] = [fresh[0]?.trim() === '', fresh.at(-1)?.trim() === '']
  if (hasAirBefore && hasAirAfter) return { lines: [...fresh] }
  if (hasAirAfter) return { lines: [...skipped, ...fresh] }
  return hasAirBefore ? { lines: [...fresh, ...skipped] } : { reason: 'place_unknown' }
}
