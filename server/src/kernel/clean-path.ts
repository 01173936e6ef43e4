// A relative path inside a workspace, written in one way only. What is written otherwise is refused and never repaired, because
// a repaired path is one that somebody else may read differently.

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

/** The first that matters; undefined when there is none. */
export function pathProblem(path: string): PathProblem | undefined {
  const problem = WHOLE.find(([, isWrong]) => isWrong(path))
  if (problem) return problem[0]
  for (const segment of path.split('/')) {
    const wrong = SEGMENT.find(([, isWrong]) => isWrong(segment))
    if (wrong) return wrong[0]
  }
  return undefined
}

/** The same grammar for files that a caller shows. Protected ones may be read, but what belongs to git may not. */
export const isCleanContextPath = (text: string): boolean =>
  pathProblem(text) === undefined && !foldPath(text).split('/').includes('.git')

/** Two paths with the same fold are one file where names ignore case or the way an accent is composed. */
export function foldPath(path: string): string {
  const folded = path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  // A capital İ becomes an i with a dot above it; some file systems take it for an i.
  return folded.replaceAll('i\u0307', 'i')
}

/** A refused path as it may be shown: what is invisible or turns the reading direction is spelt out. */
export function printablePath(path: string): string {
  const shown = path.slice(0, PATH_BYTES_MAX).replace(UNPRINTABLE, spellOut)
  return path.length > PATH_BYTES_MAX ? `${shown}…` : shown
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu
const spellOut = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Slashes, dots and colons that are drawn like ours and that no normalisation turns into them. */
const LOOK_ALIKE =
  /[\u0337\u0338\u0589\u05c3\u06d4\u0701\u0702\u2044\u2215\u2216\u2236\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\u3002\ua789]/u

/** In this order, so that the first problem named is the one that matters most. */
const WHOLE: readonly (readonly [PathProblem, (path: string) => boolean])[] = [
  ['empty', (path) => path.trim() === ''],
  ['too_long', (path) => path.length > PATH_BYTES_MAX || Buffer.byteLength(path) > PATH_BYTES_MAX],
  ['control_character', (path) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) || !path.isWellFormed()],
  ['invisible_character', (path) => /[\p{C}\p{DI}]|(?! )\p{Zs}/u.test(path)],
  // Whatever is not its own compatibility form has a twin: full-width dots, ligatures, decomposed accents.
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
  // What Windows calls a file besides its name: git~1 is .git.
  ['short_name', (segment) => /~\d/.test(segment)],
  ['device_name', (segment) => /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/i.test(segment)],
]
