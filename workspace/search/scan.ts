// Searches the files of a workspace. It matches only masked text: otherwise the number of results would tell a model whether its
// expression matches a secret.
import type { FileReader } from './file-reader.ts'
import { createLineMatcher, type LineMatch, type LineQuery } from './line-matcher.ts'

/** `lines`: the matching lines. `files`: the masked texts of the files with the most of the words. */
export type ScanQuery =
  | { readonly kind: 'lines'; readonly query: LineQuery; readonly limit: number; readonly perFile: number }
  | {
      readonly kind: 'files'
      readonly words: readonly string[]
      readonly isName: boolean
      readonly limit: number
    }

export type FileMatches = {
  readonly path: string
  readonly matches: readonly LineMatch[]
  /** Matching lines in this file, including those that are left out. */
  readonly count: number
  readonly hasSecrets: boolean
}

export type ScanOutput = {
  readonly files: readonly FileMatches[]
  readonly texts: readonly { readonly path: string; readonly content: string }[]
  /** Matches and files beyond the limit. */
  readonly moreMatches: number
  readonly moreFiles: number
  /** Whether the search ended before the last file; then `more` is the least number. */
  readonly filesLeft: number
  readonly searched: number
  readonly binary: number
  readonly large: number
}

const COUNTED_MAX = 2_000
/** All returned texts together. */
const TEXTS_CHARACTERS_MAX = 4_000_000

/** Yields between two files, so that the caller can do other work. */
export type Scan = Generator<void, ScanOutput>

export const scan = (reader: FileReader, query: ScanQuery, limitMatch: MatchLimiter = unlimited): Scan =>
  query.kind === 'lines' ? scanLines(reader, query, limitMatch) : scanFiles(reader, query)

/** Runs a match that may take very long, and may throw instead. */
export type MatchLimiter = <T>(match: () => T) => T
const unlimited: MatchLimiter = (match) => match()

function* scanLines(
  { files, counts }: FileReader,
  { query, limit, perFile }: Extract<ScanQuery, { kind: 'lines' }>,
  limitMatch: MatchLimiter,
): Scan {
  const matcher = createLineMatcher(query)
  const found: FileMatches[] = []
  let [shown, counted, moreMatches, moreFiles] = [0, 0, 0, 0]
  for (const { path, raw, masked } of files()) {
    if (counted >= COUNTED_MAX) break
    yield
    if (!matcher.mayMatch(raw)) continue
    const { text, hasSecrets } = masked()
    const room = Math.min(perFile, limit - shown)
    const { matches, count } = limitMatch(() => matcher.find(text, Math.max(room, 0), COUNTED_MAX))
    counted += count
    if (count === 0) continue
    if (room > 0) found.push({ path, matches, count, hasSecrets })
    else [moreMatches, moreFiles] = [moreMatches + count, moreFiles + 1]
    shown += matches.length
  }
  return toOutput(counts, { files: found, moreMatches, moreFiles })
}

/** Files with more of the words come first; then files with more definitions of a name, or more occurrences. */
function* scanFiles(
  { files, counts }: FileReader,
  { words, isName, limit }: Extract<ScanQuery, { kind: 'files' }>,
): Scan {
  const score = isName ? nameScore(words[0] ?? '') : wordScore(words)
  const best: { path: string; content: string; score: number }[] = []
  for (const { path, raw, masked } of files()) {
    yield
    const points = score(path, raw)
    const least = best.length < limit ? 0 : (best.at(-1)?.score ?? 0)
    if (points <= least) continue
    best.push({ path, content: masked().text, score: points })
    best.sort((a, b) => b.score - a.score)
    if (best.length > limit) best.pop()
  }
  let charactersLeft = TEXTS_CHARACTERS_MAX
  const texts = best.flatMap(({ path, content }) => {
    charactersLeft -= content.length
    return charactersLeft < 0 ? [] : { path, content }
  })
  return toOutput(counts, { texts })
}

/** A hyphen needs no escape, and may not have one in Unicode mode. */
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A line that looks like a definition in some language counts more than a use. */
function nameScore(name: string): (path: string, text: string) => number {
  const use = new RegExp(wordSource(name), 'iu')
  const definition = definitionPattern(name, 'imu')
  return (_, text) => (use.test(text) ? (definition.test(text) ? 2 : 1) : 0)
}

const wordSource = (name: string): string => `(?<![\\p{L}\\p{N}_$])${escapeRegex(name)}(?![\\p{L}\\p{N}_$])`

/** Matches most definitions of a name, and some other lines. */
export function definitionPattern(name: string, flags: string): RegExp {
  const word = wordSource(name)
  return new RegExp(
    `(?:\\b(?:function|class|def|func|fn|type|interface|struct|enum|trait|record|object|module|namespace|const|let|var|val|static|public|private|protected|async|sub|impl|define)\\b[^\\n=]{0,80}${word}|^[ \\t]{0,40}${word}[^\\n]{0,80}[({=:])`,
    flags,
  )
}

/** Long words that few files have say more, but only the number of different words is known here. */
function wordScore(words: readonly string[]): (path: string, text: string) => number {
  return (path, text) => {
    const [lowerPath, lower] = [path.toLowerCase(), text.toLowerCase()]
    let points = 0
    for (const word of words)
      points += (lower.includes(word) ? word.length : 0) + (lowerPath.includes(word) ? 2 * word.length : 0)
    return points
  }
}

const toOutput = (
  { searched, binary, large, left }: FileReader['counts'],
  found: Partial<ScanOutput>,
): ScanOutput => ({
  files: [],
  texts: [],
  moreMatches: 0,
  moreFiles: 0,
  ...found,
  filesLeft: left,
  searched,
  binary,
  large,
})
