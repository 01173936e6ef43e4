// Gives the user of the sandbox a folder of ours. Only root needs this: otherwise both are the same user.
import { lchown, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

const ENTRIES_MAX = 200_000
const DEPTH_MAX = 64

/**
 * Changes the owner of everything in the folder; the content stays. A folder that is done is recognised by its own
 * owner, which changes last. Returns false for folders that are not below `own`: those are not ours to change.
 */
export async function adoptFolder(folder: string, own: string, user: number): Promise<boolean> {
  const [path, root] = await Promise.all([realpath(folder), realpath(own)])
  if (!path.startsWith(root + sep)) return false
  if ((await stat(path)).uid === user) return true
  let count = 0
  const waiting = [{ at: path, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, depth } = next
    const entries = await readdir(at, { withFileTypes: true })
    count += entries.length
    if (count > ENTRIES_MAX || depth > DEPTH_MAX) return false
    await Promise.all(entries.map((entry) => lchown(join(at, entry.name), user, user)))
    for (const entry of entries)
      if (entry.isDirectory()) waiting.push({ at: join(at, entry.name), depth: depth + 1 })
  }
  await lchown(path, user, user)
  return true
}
