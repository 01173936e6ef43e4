// What a repository itself says is not part of it, by the ignore files that were sent with it. For a thread: a pattern can be
// written so that it takes for ever.
import { createRequire } from 'node:module'
import type { Ignore } from 'ignore'
import { isCleanContextPath } from '../../kernel/clean-path.ts'
import { FILE_BYTES_MAX, type SentFile } from './skip-reason.ts'

// The package is a CommonJS one whose types and exports are at odds about what is the default.
const createIgnore = createRequire(import.meta.url)('ignore') as () => Ignore
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/

export const isIgnoreFile = ({ path, content }: SentFile): boolean =>
  IGNORE_FILE.test(path) && content.length <= FILE_BYTES_MAX && isCleanContextPath(path)

/** The paths that are left out. Each ignore file holds for its own folder and what is below it. */
export function findIgnoredPaths(files: readonly SentFile[]): ReadonlySet<string> {
  const rules = files
    .filter(isIgnoreFile)
    .map(({ path, content }) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), text: content }))
    .sort((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, text }) => ({ folder, ignore: createIgnore().add(text) }))
  if (rules.length === 0) return new Set()
  const isIgnored = (path: string): boolean => {
    let isOut = false
    // The deepest has the last word.
    for (const { folder, ignore } of rules) {
      if (!path.startsWith(folder)) continue
      const { ignored, unignored } = ignore.test(path.slice(folder.length))
      isOut = ignored || (isOut && !unignored)
    }
    return isOut
  }
  const paths = files.map(({ path }) => path).filter(isCleanContextPath)
  return new Set(paths.filter(isIgnored))
}
