// Where the path of a tool call leads: a file below the root, a file outside of it, or nothing.
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { showPath } from '@cowrie/workspace/text/plain-text.ts'

export type LocalPath =
  /** Relative to the root, with slashes; '' for the root. Not yet checked. */
  | { readonly kind: 'inside'; readonly path: string }
  /** An absolute path. */
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'wrong'; readonly reason: string }

const CHARACTERS_MAX = 4_000

/** Models also write absolute paths, `~` and `..`. Nothing is looked up here. */
export function locatePath(text: string, { root, home }: { root: string; home: string | null }): LocalPath {
  if (text.length > CHARACTERS_MAX || !text.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    return { kind: 'wrong', reason: `${showPath(text)} is not a path.` }
  const slashed = sep === '\\' ? text.replaceAll('\\', '/') : text
  const isHome = slashed === '~' || slashed.startsWith('~/')
  if (isHome && home === null) return { kind: 'wrong', reason: `${showPath(text)} is not a path here.` }
  const path = isHome ? join(home ?? '', slashed.slice(1)) : slashed
  if (!isAbsolute(path) && !path.split('/').includes('..')) return { kind: 'inside', path: tidy(path) }
  const full = resolve(root, path)
  const way = relative(root, full)
  const isInside = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  return isInside ? { kind: 'inside', path: way.split(sep).join('/') } : { kind: 'outside', path: full }
}

/** `.` and `./` stand for the root, and a slash at the end for a folder. */
const tidy = (path: string): string =>
  path
    .replace(/^(?:\.\/+)+/, '')
    .replace(/^\.$/, '')
    .replace(/\/+$/, '')
