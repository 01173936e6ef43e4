// Finds and reads the few files of a tree that name its dependencies. Links are never followed.
import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SandboxTree } from '../sandbox-tree.ts'

const DEPTH_MAX = 8
const ENTRIES_MAX = 200_000
const FILE_BYTES_MAX = 16 << 20
const SKIPPED = new Set(['node_modules', '.git', 'target', 'dist', '.venv', 'venv'])

/** Paths whose last name matches, sorted. Folders deeper than eight levels are not searched. */
export async function findTreeFiles(
  tree: SandboxTree,
  isWanted: (path: string) => boolean,
): Promise<string[]> {
  const isInside = (path: string) => !path.split('/').some((name) => SKIPPED.has(name))
  const found = new Set([...tree.files.keys()].filter((path) => isInside(path) && isWanted(path)))
  if (tree.folder !== null)
    for (const path of await findInFolder(await realpath(tree.folder), isWanted))
      if (!tree.deleted.has(path)) found.add(path)
  return [...found].sort()
}

async function findInFolder(root: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const found: string[] = []
  const waiting: { at: string; depth: number }[] = [{ at: '', depth: 0 }]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(join(root, next.at), { withFileTypes: true })) {
      if (++count > ENTRIES_MAX) return found
      const path = next.at === '' ? entry.name : `${next.at}/${entry.name}`
      if (entry.isDirectory()) {
        if (next.depth < DEPTH_MAX && !SKIPPED.has(entry.name))
          waiting.push({ at: path, depth: next.depth + 1 })
      } else if (entry.isFile() && isWanted(path)) found.push(path)
    }
  }
  return found
}

/** The content of a file; null if there is none, or it is too large to be read. */
export async function readTreeFile(tree: SandboxTree, path: string): Promise<Buffer | null> {
  const changed = tree.files.get(path)
  if (changed !== undefined) return Buffer.from(changed)
  if (tree.folder === null || tree.deleted.has(path)) return null
  const root = await realpath(tree.folder)
  // The parent must not be reached through a link.
  if ((await realpath(dirname(join(root, path))).catch(() => null)) !== dirname(join(root, path))) return null
  const handle = await open(
    join(root, path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => null)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    return size > FILE_BYTES_MAX ? null : await handle.readFile()
  } finally {
    await handle.close()
  }
}
