// Checks of file paths that leave no trace in the value.

import type { CallEvent } from '../../../rule.ts'
import { textBefore } from '../taint-flow.ts'

/** Checks of a value derived from the path rather than of the path itself. */
export function isChecked(event: CallEvent): boolean {
  // A file that imports a path check usually applies it to several of its functions.
  if (event.imports(/^(?:is-path-inside|path-is-inside)$/)) return true
  const before = textBefore(event, event.expr.at)
  if (/\brelative\(/.test(before) && /startsWith\(\s*['"`]\.\.|isAbsolute\(|\^\\?\.\\?\./.test(before))
    return true
  // A pattern that starts with the folder, usually made once for all requests.
  if (FOLDER_PATTERN.test(event.text) && /\.test\(/.test(before)) return true
  return PREFIX_CHECKS.some((check) => check.test(before))
}

/** Another function of the file checks the start of a path, probably before it calls this one. */
export function isCheckedElsewhere({ text, functions }: CallEvent): boolean {
  const home = functions.find(({ name }) => name !== '') ?? functions.at(-1)
  const rest = home ? `${text.slice(0, home.at.start)}\n${text.slice(home.at.end)}` : ''
  return (
    [...PREFIX_CHECKS, ANCHORED_CHECK, PARENT_CHECK].some((check) => check.test(rest)) ||
    (FOLDER_PATTERN.test(rest) && /\.(?:test|match)\(/.test(rest))
  )
}

/** `file.startsWith(root)`, `file.indexOf(root) === 0`, `!file.match(root)`. */
const ANCHORED_CHECK =
  /\.(?:startsWith\(\s*(?:this\.|self\.|opts?\.|options\.)?_?\w*(?:root|dir|base|folder|cwd)\w*|indexOf\(\s*(?:this\.|self\.|opts?\.|options\.)?_?\w*(?:root|dir|base|folder|cwd)\w*\s*\)\s*(?:[!=]==?|>|<)\s*-?[01])/i
/** `path.startsWith('..')`, `path.includes('../')`, `path.indexOf('..') !== -1`, but not the removal of `..`. */
const PARENT_CHECK =
  /(?:startsWith|includes)\(\s*['"`]\.\.[\\/]*['"`]|indexOf\(\s*['"`]\.\.[\\/]*['"`]\s*\)\s*(?:[!=]==?|[<>])/

const FOLDER_PATTERN = /new RegExp\(\s*['"`]\^['"`]\s*\+/
const FOLDER = '[\\w.]*(?:root|base|dir|folder|public|upload|dest|target|output|cwd|path|prefix|parent)\\w*'

/** Comparisons of the start of a path with a folder. */
const PREFIX_CHECKS: readonly RegExp[] = [
  new RegExp(`\\.(?:slice|substr|substring)\\(\\s*0\\s*,\\s*${FOLDER}\\.length\\s*\\)\\s*[!=]==?`, 'i'),
  /\b(?:startsWith|indexOf)\(\s*(?:path\.(?:resolve|join|normalize)|[\w.]*(?:root|base|dir|folder|public|upload|dest|target|output|cwd)\w*)/i,
]
