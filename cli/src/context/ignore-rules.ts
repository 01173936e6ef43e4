// Exclusions by the user and the repository: `.cowrieignore` and the setting `exclude`.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import ignore from 'ignore'
import { Failure } from '../errors.ts'
import type { Config } from '../system/config.ts'

export type IgnoreRules = {
  /** Whether a path (relative to the root, with slashes) is excluded. */
  isExcluded(path: string): boolean
}

const IGNORE_FILE = '.cowrieignore'
const BYTES_MAX = 256 * 1024

export async function readRules(root: string, { exclude = [] }: Config): Promise<IgnoreRules> {
  const rules = ignore()
    .add(await readIgnoreFile(root))
    // Added last, so that a repository cannot cancel the user's exclusions.
    .add(exclude.filter((pattern) => !pattern.startsWith('!')))
  return { isExcluded: (path) => ignore.isPathValid(path) && rules.ignores(path) }
}

async function readIgnoreFile(root: string): Promise<string> {
  const path = join(root, IGNORE_FILE)
  const text = await readWhole(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    // Unreadable rules stop the command: the file might be excluded.
    throw new Failure('ignore_file_unreadable', `${path} cannot be read (${error.message}).`)
  })
  if (text.length > BYTES_MAX) throw new Failure('ignore_file_unreadable', `${path} is larger than 256 KiB.`)
  return text
}

/** A repository may contain a link to an endless device file. */
async function readWhole(path: string): Promise<string> {
  if (!(await stat(path)).isFile()) throw new Error('it is not a file')
  return readFile(path, 'utf8')
}

/** Matches paths relative to the root, with .gitignore patterns. */
export function matcher(pattern: string): (path: string) => boolean {
  const rules = ignore().add(pattern.startsWith('/') ? pattern : `/${pattern}`)
  return (path) => ignore.isPathValid(path) && rules.ignores(path)
}
