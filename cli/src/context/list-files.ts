// The files that may be sent: tracked or untracked in git, and not ignored, excluded, secret or binary by name.
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { openGit, splitNul } from '../git/git.ts'
import { type IgnoreRules, readRules } from './ignore-rules.ts'
import { isBinaryName, type SkipReason, whySkipped } from './sendable.ts'

export type ListedFile = {
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly bytes: number
  readonly changedAtMs: number
}
export type SkippedFile = { readonly path: string; readonly why: SkipReason }
export type Listing = {
  readonly root: string
  /** Sorted by path. */
  readonly files: readonly ListedFile[]
  /** Files that git does not ignore, but that are not sent. */
  readonly leftOut: readonly SkippedFile[]
}

type Around = Pick<Context, 'paths' | 'config' | 'env' | 'signal'>

const FILES_MAX = 100_000
const AT_ONCE = 64
const DEPTH_MAX = 32
/** Outside of git, folders that are skipped. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.next', '.cache', 'target'])

/** The current repository; null outside of one. */
export async function listRepository(around: Around): Promise<Listing | null> {
  const { repository } = around.paths
  if (!repository) return null
  const { root } = repository
  const rules = await readRules(root, around.config)
  // `-co`: tracked and untracked files, with git's ignore rules.
  const known = await gitPaths(root, ['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], around)
  return filterPaths(root, known, rules)
}

/** Everything in a folder outside of git. */
export async function listFolder(root: string, { config, signal }: Around): Promise<Listing> {
  const paths: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    signal?.throwIfAborted()
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!entry.isDirectory()) paths.push(path)
      else if (!SKIPPED_FOLDERS.has(entry.name) && depth < DEPTH_MAX) await walk(path, depth + 1)
      if (paths.length > FILES_MAX) throw tooMany()
    }
  }
  await walk('', 0)
  return filterPaths(root, paths, await readRules(root, config))
}

/** NUL-separated paths printed by a git command. Nothing of the repository is executed. */
export async function gitPaths(
  root: string,
  args: readonly string[],
  { env, signal }: Around,
): Promise<string[]> {
  const paths = splitNul((await openGit(root, env).run(args, { signal })).text)
  if (paths.length > FILES_MAX) throw tooMany()
  return paths
}

async function filterPaths(root: string, paths: readonly string[], rules: IgnoreRules): Promise<Listing> {
  const files: ListedFile[] = []
  const leftOut: SkippedFile[] = []
  const sorted = [...new Set(paths)].sort()
  for (let at = 0; at < sorted.length; at += AT_ONCE)
    await Promise.all(
      sorted.slice(at, at + AT_ONCE).map(async (path) => {
        const found = await inspect(root, path, rules)
        if (found === null) return
        if (typeof found === 'string') leftOut.push({ path, why: found })
        else files.push(found)
      }),
    )
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
  return { root, files: files.sort(byPath), leftOut: leftOut.sort(byPath) }
}

/** The file, why it is skipped, or null when it does not exist: git may list deleted files. */
async function inspect(
  root: string,
  path: string,
  rules: IgnoreRules,
): Promise<ListedFile | SkipReason | null> {
  const why = whySkipped(path)
  if (why) return why
  if (rules.isExcluded(path)) return 'excluded'
  if (isBinaryName(path)) return 'binary'
  const found = await lstat(join(root, path)).catch(() => null)
  if (found?.isSymbolicLink()) return 'link'
  // A submodule is a folder here.
  if (!found?.isFile()) return null
  return { path, bytes: found.size, changedAtMs: found.mtimeMs }
}

const tooMany = () =>
  new Failure('too_many_files', `There are more than ${FILES_MAX} files here.`, {
    next: 'Name the relevant files with -f, or exclude folders with .cowrieignore.',
  })
