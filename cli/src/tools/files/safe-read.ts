// Reads a regular file without following a link out of the root. The open file is compared with the path, because the path may
// lead elsewhere by now.
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

export type ReadFile = { readonly bytes: Buffer; readonly mode: number }

/** Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** `path`: a real path without links. Null if there is no such regular file, or it is larger. */
export async function readRegularFile(path: string, bytesMax: number): Promise<ReadFile | null> {
  const file = await open(path, FLAGS).catch(() => null)
  if (!file) return null
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > bytesMax) return null
    const bytes = await file.readFile()
    const now = await lstat(path)
    const isSame = now.ino === found.ino && now.dev === found.dev && (await realpath(path)) === path
    return isSame ? { bytes, mode: found.mode & 0o7777 } : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Where a path below the root really leads, relative to the root with slashes; null outside of it or without a target. */
export async function realPathIn(root: string, path: string): Promise<string | null> {
  const real = await realpath(join(root, path)).catch(() => null)
  if (real === null) return null
  const way = relative(root, real)
  if (way === '..' || way.startsWith(`..${sep}`) || join(root, way) !== real) return null
  return way.split(sep).join('/')
}
