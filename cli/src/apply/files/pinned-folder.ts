// Works in a folder that another process may replace by a link at any moment: a name inside of it must not lead elsewhere.
import { constants } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

/** Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Calls `work` with a path of the folder. On Linux it names the open folder itself, which stays the same when its name leads
 * elsewhere. `root` contains no links.
 */
export async function inFolder<T>(
  root: string,
  folder: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const full = join(root, folder)
  if (process.platform !== 'linux') return work(full)
  const handle = await open(full, FLAGS)
  try {
    const pinned = `/proc/self/fd/${handle.fd}`
    const real = await readlink(pinned).catch(() => null)
    // Without /proc.
    if (real === null) return await work(full)
    if (real !== full)
      throw new Failure('changed_meanwhile', `${folder} was replaced meanwhile, so nothing was written.`, {
        exit: EXIT.conflict,
      })
    return await work(pinned)
  } finally {
    await handle.close()
  }
}
