// Moves what was installed out of the folders of the sandbox. Nothing runs there any more, but the commands were not
// ours, so links are never followed.
import { lchown, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const DEPTH_MAX = 8
const FOLDERS_MAX = 50_000
const OUTPUTS_MAX = 500

export type CollectInput = {
  readonly from: string
  readonly to: string
  /** The owner of new folders; null: ourselves. */
  readonly user: number | null
}

/** Removes files of the project itself from folders with these names, so that only installed ones are collected. */
export async function removeOwnFiles(
  from: string,
  paths: readonly string[],
  names: ReadonlySet<string>,
): Promise<void> {
  for (const path of paths) {
    const folders = dirname(path).split('/')
    if (!folders.some((name) => names.has(name)) || !(await isRealFolder(from, dirname(path)))) continue
    await unlink(join(from, path)).catch(() => null)
    for (let at = dirname(path); at !== '.'; at = dirname(at))
      if (!(await rmdir(join(from, at)).then(isDone, isFailed))) break
  }
}

const isDone = () => true
const isFailed = () => false

/** Folders and files with these names, at any depth. Returns their paths. */
export async function collectByName(input: CollectInput, names: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  const waiting = [{ at: '', depth: 0 }]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++count > FOLDERS_MAX) break
    for (const entry of await readdir(join(input.from, next.at), { withFileTypes: true })) {
      // A name in another encoding cannot be found again.
      if (entry.name.includes('\ufffd')) continue
      const path = next.at === '' ? entry.name : `${next.at}/${entry.name}`
      const isKept = names.has(entry.name) && (entry.isDirectory() || (entry.isFile() && next.at === ''))
      if (isKept && found.length < OUTPUTS_MAX) found.push(path)
      else if (entry.isDirectory() && next.depth < DEPTH_MAX && entry.name !== '.git')
        waiting.push({ at: path, depth: next.depth + 1 })
    }
  }
  for (const path of found) await move(input, path)
  return found.sort()
}

/** These paths, if they are real folders all the way. */
export async function collectByPath(input: CollectInput, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of new Set(paths)) {
    if (!(await isRealFolder(input.from, path))) continue
    await move(input, path)
    found.push(path)
  }
  return found.sort()
}

/** A place for the caches that tools write beside packages, for hosts where the folder itself is read-only. */
export async function makeCacheFolder({ to, user }: CollectInput, path: string): Promise<void> {
  const cache = join(to, path, '.cache')
  const found = await lstat(cache).catch(() => null)
  if (found?.isDirectory()) return
  if (found !== null) await unlink(cache)
  await mkdir(cache)
  if (user !== null) await lchown(cache, user, user)
}

async function isRealFolder(root: string, path: string): Promise<boolean> {
  let at = root
  for (const name of path.split('/')) {
    at = join(at, name)
    if (!(await lstat(at).catch(() => null))?.isDirectory()) return false
  }
  return true
}

async function move({ from, to, user }: CollectInput, path: string): Promise<void> {
  let at = to
  for (const name of dirname(path)
    .split('/')
    .filter((each) => each !== '.')) {
    at = join(at, name)
    const isNew = await mkdir(at).then(isDone, isFailed)
    if (isNew && user !== null) await lchown(at, user, user)
  }
  await rename(join(from, path), join(to, path))
}
