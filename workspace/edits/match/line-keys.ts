// The comparison keys of each line, per match level, and how often each key occurs. Computed once per text and level
// and updated after each hunk, because a file may have many hunks.

export type KeyLevel = 0 | 1 | 2 | 3

export type KeyedLines = { readonly keys: readonly string[]; readonly counts: ReadonlyMap<string, number> }

/** The key of a line at each level. Lines with equal keys match. */
export const KEYS: Readonly<Record<KeyLevel, (line: string) => string>> = {
  0: (line) => line,
  1: (line) => line.trimEnd(),
  2: (line) => foldCharacters(line).trimEnd(),
  3: (line) => foldCharacters(line).trim(),
}

export function indexLines(lines: readonly string[], level: KeyLevel): KeyedLines {
  const levels = known.get(lines) ?? new Map<KeyLevel, MutableKeyedLines>()
  known.set(lines, levels)
  const keyed = levels.get(level) ?? countKeys(lines.map(KEYS[level]))
  levels.set(level, keyed)
  return keyed
}

/** The replaced range and its new lines. */
export type LineReplacement = {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** `after` is `before` with the replacement made. Moves the cached keys to `after`. */
export function updateKeys(before: readonly string[], after: readonly string[], cut: LineReplacement): void {
  const levels = known.get(before)
  if (!levels) return
  known.delete(before)
  for (const [level, { keys, counts }] of levels) {
    const added = cut.lines.map(KEYS[level])
    for (const key of keys.slice(cut.start, cut.end)) count(counts, key, -1)
    for (const key of added) count(counts, key, 1)
    levels.set(level, { keys: [...keys.slice(0, cut.start), ...added, ...keys.slice(cut.end)], counts })
  }
  known.set(after, levels)
}

type MutableKeyedLines = { readonly keys: readonly string[]; readonly counts: Map<string, number> }

/** Garbage collected together with the lines. */
const known = new WeakMap<readonly string[], Map<KeyLevel, MutableKeyedLines>>()

function countKeys(keys: readonly string[]): MutableKeyedLines {
  const counts = new Map<string, number>()
  for (const key of keys) count(counts, key, 1)
  return { keys, counts }
}

const count = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** Normalises look-alike quotes, dashes and spaces. Used only for comparison. */
export const foldCharacters = (line: string): string =>
  isPlain(line)
    ? line
    : line
        .normalize('NFC')
        .replace(SINGLE, "'")
        .replace(DOUBLE, '"')
        .replace(DASH, '-')
        .replace(BLANK, ' ')
        .replace(NOTHING, '')

export const SINGLE = /[\u2018\u2019\u201a\u201b\u2032\u00b4]/g
export const DOUBLE = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g
const DASH = /[\u2010-\u2015\u2212]/g
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g
const NOTHING = /[\u200b\u2060\ufeff]/g

const isPlain = (line: string): boolean => /^[\x00-\x7f]*$/.test(line)
