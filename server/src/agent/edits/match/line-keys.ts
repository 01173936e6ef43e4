// What the levels of the ladder compare: for every line of a text its key, and how often each key occurs. Made once for
// a text and a level, and carried along while the text is changed, because a file may have many hunks.

export type KeyLevel = 0 | 1 | 2 | 3

export type KeyedLines = { readonly keys: readonly string[]; readonly counts: ReadonlyMap<string, number> }

/** What two lines have in common where a level holds them to be equal. */
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

/** Where lines were cut out of a text, and what was put in their place. */
export type LineReplacement = {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** `after` is `before` with the cut made. What was known of `before` is known of `after` from here on. */
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

/** Forgotten together with the lines. */
const known = new WeakMap<readonly string[], Map<KeyLevel, MutableKeyedLines>>()

function countKeys(keys: readonly string[]): MutableKeyedLines {
  const counts = new Map<string, number>()
  for (const key of keys) count(counts, key, 1)
  return { keys, counts }
}

const count = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** One form for quotes, dashes and blanks that look alike. Only for comparing: what is written keeps its own. */
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
