// The paths below the root: what git does not ignore, or every file where there is no git.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../errors.ts'
import { type Git, openGit, splitNul } from '../../git/git.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type PathList = {
  readonly paths: readonly string[]
  /** More files than this program lists. */
  readonly isCut: boolean
}

const FILES_MAX = 100_000
const DEPTH_MAX = 32
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.next', '.cache', 'target'])

/** Null where git is not installed or not used. */
export function gitOf(root: string, env: Environment): Git | null {
  if (!existsSync(join(root, '.git'))) return null
  try {
    return openGit(root, env)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Tracked and untracked files, without those that git ignores. Nothing of the repository is executed. */
export async function listGitPaths(git: Git, signal?: AbortSignal): Promise<PathList> {
  const { text } = await git.run(['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], { signal })
  return cut(splitNul(text))
}

/** Ignored files. Folders that git ignores as a whole end with a slash, and nothing below them is listed. */
export async function listIgnoredPaths(git: Git): Promise<readonly string[]> {
  const { text } = await git.run(['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'])
  return cut(splitNul(text)).paths
}

const cut = (paths: string[]): PathList => ({
  paths: paths.slice(0, FILES_MAX),
  isCut: paths.length > FILES_MAX,
})

/** Every file below a folder. Links are not followed. */
export async function walkPaths(
  root: string,
  start: string,
  { filesMax = FILES_MAX, isAll = false, signal }: WalkOptions = {},
): Promise<PathList> {
  const paths: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    signal?.throwIfAborted()
    // A folder that cannot be read is left out, as git does.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (paths.length > filesMax) return
      if (!entry.isDirectory()) paths.push(path)
      else if (entry.name !== '.git' && (isAll || !SKIPPED_FOLDERS.has(entry.name)) && depth < DEPTH_MAX)
        await walk(path, depth + 1)
    }
  }
  await walk(start, 0)
  return { paths: paths.slice(0, filesMax), isCut: paths.length > filesMax }
}

type WalkOptions = {
  readonly filesMax?: number
  /** Also folders that hold dependencies and build results. */
  readonly isAll?: boolean
  readonly signal?: AbortSignal | undefined
}
