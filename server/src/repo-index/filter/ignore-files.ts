// Applies the ignore files of a call. Runs on a worker thread, because a pattern can take unbounded time.
import { createRequire } from 'node:module'
import { isCleanContextPath } from '@cowrie/workspace/paths/clean-path.ts'
import type { Ignore } from 'ignore'
import { FILE_BYTES_MAX, type SentFile } from './skip-reason.ts'

// The types of this CommonJS package do not match its default export.
const createIgnore = createRequire(import.meta.url)('ignore') as () => Ignore
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/

export const isIgnoreFile = ({ path, content }: SentFile): boolean =>
  IGNORE_FILE.test(path) && content.length <= FILE_BYTES_MAX && isCleanContextPath(path)

/** The ignored paths. Each ignore file applies to its folder and subfolders. */
export function findIgnoredPaths(files: readonly SentFile[]): ReadonlySet<string> {
  const rules = files
    .filter(isIgnoreFile)
    .map(({ path, content }) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), text: content }))
    .sort((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, text }) => ({ folder, ignore: createIgnore().add(text) }))
  if (rules.length === 0) return new Set()
  const isIgnored = (path: string): boolean => {
    let isExcluded = false
    // The deepest ignore file takes precedence.
    for (const { folder, ignore } of rules) {
      if (!path.startsWith(folder)) continue
      const { ignored, unignored } = ignore.test(path.slice(folder.length))
      isExcluded = ignored || (isExcluded && !unignored)
    }
    return isExcluded
  }
  const paths = files.map(({ path }) => path).filter(isCleanContextPath)
  return new Set(paths.filter(isIgnored))
}
