// A relative path inside a workspace, in exactly one notation. Other notations are rejected and never normalised, because
// another program might read a normalised path differently.

export type PathProblem =
  | 'empty'
  | 'too_long'
  | 'too_deep'
  | 'control_character'
  | 'invisible_character'
  | 'look_alike'
  | 'backslash'
  | 'absolute'
  | 'home'
  | 'drive'
  | 'percent_encoded'
  | 'option'
  | 'forbidden_character'
  | 'empty_segment'
  | 'dot_segment'
  | 'trailing_dot_or_space'
  | 'short_name'
  | 'device_name'

export const PATH_BYTES_MAX = 240
export const PATH_SEGMENTS_MAX = 32

/** The most important problem; undefined when there is none. */
export function pathProblem(path: string): PathProblem | undefined {
  const problem = WHOLE.find(([, isWrong]) => isWrong(path))
  if (problem) return problem[0]
  for (const segment of path.split('/')) {
    const wrong = SEGMENT.find(([, isWrong]) => isWrong(segment))
    if (wrong) return wrong[0]
  }
  return undefined
}

/** The same grammar for context files. Protected files may be read, but files of git may not. */
export const isCleanContextPath = (text: string): boolean =>
  pathProblem(text) === undefined && !foldPath(text).split('/').includes('.git')

const GIT = 'must not lead into .git'
const TEXTS: Readonly<Record<PathProblem, string>> = {
  empty: 'must not be empty',
  too_long: `must have at most ${PATH_BYTES_MAX} bytes`,
  too_deep: `must have at most ${PATH_SEGMENTS_MAX} folders`,
  control_character: 'must not have control characters',
  invisible_character: 'must not have invisible characters',
  look_alike: 'must be in Unicode form NFKC: accents composed, no look-alikes of slashes and dots',
  backslash: 'must have / between folders',
  absolute: 'must be relative',
  home: 'must not start with ~',
  drive: 'must not start with a drive',
  percent_encoded: 'must not be percent-encoded',
  option: 'must not start with -',
  forbidden_character: 'must not have : * ? " < > or |',
  empty_segment: 'must not have an empty folder name',
  dot_segment: 'must not have . or .. in it',
  trailing_dot_or_space: 'must not have names that start or end with a space, or end with a dot',
  short_name: 'must not have short names of Windows such as git~1',
  device_name: 'must not have device names of Windows such as con or nul',
}

/** Why `isCleanContextPath` rejects this path. */
export const contextPathRule = (path: string): string => {
  const problem = pathProblem(path)
  return problem === undefined ? GIT : TEXTS[problem]
}

/** Paths with the same fold are one file on systems that ignore case or the composition of accents. */
export function foldPath(path: string): string {
  // Most paths are ASCII. For them the rest is lower case, and several times slower.
  if (ASCII.test(path)) return path.toLowerCase()
  const folded = path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  // A capital İ becomes an i with a combining dot. Some file systems treat it as i.
  return folded.replaceAll('i\u0307', 'i')
}

const ASCII = /^[\x00-\x7f]*$/

/** A rejected path for display, with invisible and bidirectional characters escaped. */
export function printablePath(path: string): string {
  const shown = path.slice(0, PATH_BYTES_MAX).replace(UNPRINTABLE, spellOut)
  return path.length > PATH_BYTES_MAX ? `${shown}…` : shown
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu
const spellOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Characters that look like slashes, dots or colons and that NFKC does not convert to them. */
const LOOK_ALIKE =
  /[\u0337\u0338\u0589\u05c3\u06d4\u0701\u0702\u2044\u2215\u2216\u2236\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\u3002\ua789]/u

/** Sorted by importance, because the first problem is reported. */
const WHOLE: readonly (readonly [PathProblem, (path: string) => boolean])[] = [
  ['empty', (path) => path.trim() === ''],
  ['too_long', (path) => path.length > PATH_BYTES_MAX || Buffer.byteLength(path) > PATH_BYTES_MAX],
  ['control_character', (path) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) || !path.isWellFormed()],
  ['invisible_character', (path) => /[\p{C}\p{DI}]|(?! )\p{Zs}/u.test(path)],
  // A path that is not in NFKC form has a look-alike: full-width dots, ligatures, decomposed accents.
  ['look_alike', (path) => path !== path.normalize('NFKC') || LOOK_ALIKE.test(path)],
  ['drive', (path) => /^[a-z]:/i.test(path)],
  ['backslash', (path) => path.includes('\\')],
  ['absolute', (path) => path.startsWith('/')],
  ['home', (path) => path.startsWith('~')],
  ['percent_encoded', (path) => /%[0-9a-f]{2}/i.test(path)],
  ['option', (path) => path.startsWith('-')],
  ['forbidden_character', (path) => /[:*?"<>|]/.test(path)],
  ['too_deep', (path) => path.split('/').length > PATH_SEGMENTS_MAX],
]

const SEGMENT: readonly (readonly [PathProblem, (segment: string) => boolean])[] = [
  ['empty_segment', (segment) => segment === ''],
  ['dot_segment', (segment) => /^\.+$/.test(segment)],
  ['trailing_dot_or_space', (segment) => /^ |[. ]$/.test(segment)],
  // Short names of Windows: git~1 is .git.
  ['short_name', (segment) => /~\d/.test(segment)],
  ['device_name', (segment) => /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/i.test(segment)],
]
