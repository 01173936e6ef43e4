// The files that could be sent: what git knows or would add, without what is ignored, excluded, secret or no text by its name.
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { fields, openGit } from '../git/git.ts'
import { Failure } from '../wrong.ts'
import { type Rules, readRules } from './rules.ts'
import { isBinaryName, type Why, whyNot } from './sendable.ts'

export type Listed = {
  /** From the root, with / between folders. */
  readonly path: string
  readonly bytes: number
  readonly changedAtMs: number
}
export type LeftOut = { readonly path: string; readonly why: Why }
export type Listing = {
  readonly root: string
  /** In the order of their paths. */
  readonly files: readonly Listed[]
  /** Those that git does not ignore and that are not sent all the same. */
  readonly leftOut: readonly LeftOut[]
}

type Around = Pick<Context, 'places' | 'config' | 'env' | 'signal'>

const FILES_MAX = 100_000
const AT_ONCE = 64
const DEPTH_MAX = 32
/** Outside of git, folders that nobody means who names the folder around them. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.next', '.cache', 'target'])

/** Of the repository one stands in; null outside of any. */
export async function listRepository(around: Around): Promise<Listing | null> {
  const { repository } = around.places
  if (!repository) return null
  const { root } = repository
  const rules = await readRules(root, around.config)
  // `-co`: what git keeps and what it would take on, with all of its own ways to ignore.
  const known = await gitPaths(root, ['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], around)
  return sift(root, known, rules)
}

/** Everything in a folder that is under no version control. */
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
  return sift(root, paths, await readRules(root, config))
}

/** Paths that a command of git names, each ended by NUL. Nothing of the repository is run. */
export async function gitPaths(
  root: string,
  args: readonly string[],
  { env, signal }: Around,
): Promise<string[]> {
  const paths = fields((await openGit(root, env).run(args, { signal })).text)
  if (paths.length > FILES_MAX) throw tooMany()
  return paths
}

async function sift(root: string, paths: readonly string[], rules: Rules): Promise<Listing> {
  const files: Listed[] = []
  const leftOut: LeftOut[] = []
  const sorted = [...new Set(paths)].sort()
  for (let at = 0; at < sorted.length; at += AT_ONCE)
    await Promise.all(
      sorted.slice(at, at + AT_ONCE).map(async (path) => {
        const found = await look(root, path, rules)
        if (found === null) return
        if (typeof found === 'string') leftOut.push({ path, why: found })
        else files.push(found)
      }),
    )
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
  return { root, files: files.sort(byPath), leftOut: leftOut.sort(byPath) }
}

/** The file, why it is left out, or null when there is none: git may know it and somebody have deleted it. */
async function look(root: string, path: string, rules: Rules): Promise<Listed | Why | null> {
  const why = whyNot(path)
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
    next: 'Name those it is about with -f, or leave folders out with .cowrieignore.',
  })
