// Reads a regular file without following a link out of the root. The open file is compared with the path, because the path may
// lead elsewhere by now.
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
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
    if (!(await isAt(file, found, path))) return null
    return { bytes: await file.readFile(), mode: found.mode & 0o7777 }
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Whether the open file is the one at the path. A folder above it may be swapped for a link and back at any moment. */
async function isAt(file: FileHandle, { ino, dev }: Stats, path: string): Promise<boolean> {
  // Linux tells where the open file is.
  const real =
    process.platform === 'linux' ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => null) : null
  if (real !== null) return real === path
  if ((await realpath(path)) !== path) return false
  const now = await lstat(path)
  return now.ino === ino && now.dev === dev && (await realpath(path)) === path
}

/** Where a path below the root really leads, relative to the root with slashes; null outside of it or without a target. */
export async function realPathIn(root: string, path: string): Promise<string | null> {
  const real = await realpath(join(root, path)).catch(() => null)
  if (real === null) return null
  const way = relative(root, real)
  if (way === '..' || way.startsWith(`..${sep}`) || join(root, way) !== real) return null
  return way.split(sep).join('/')
}
