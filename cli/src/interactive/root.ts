// The folder of a session: the repository, or another folder if the user agrees.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Paths } from '../system/paths.ts'

export type WorkRoot = {
  /** Without links. */
  readonly root: string
  readonly name: string
  /**
   * `repository`: works at once. `folder`: has no git, so the user is asked. `broad`: the home folder or the root of the disk,
   * which a session should not read by mistake.
   */
  readonly kind: 'repository' | 'folder' | 'broad'
}

export function findRoot(
  { repository, cwd }: Pick<Paths, 'repository' | 'cwd'>,
  env: Readonly<Record<string, string | undefined>>,
): WorkRoot {
  const root = realpathSync(repository?.root ?? cwd)
  const kind = isBroad(root, env.HOME ?? env.USERPROFILE) ? 'broad' : repository ? 'repository' : 'folder'
  return { root, name: basename(root) || root, kind }
}

/** The root of a disk, the home folder, or a folder that contains it. */
function isBroad(root: string, home: string | undefined): boolean {
  if (dirname(root) === root) return true
  if (!home) return false
  let real = home
  try {
    real = realpathSync(home)
  } catch {
    // There is no home folder.
  }
  return real === root || real.startsWith(`${root}/`) || real.startsWith(`${root}\\`)
}

/** Names the folder of this root in the state of the user. */
export const hashOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)
