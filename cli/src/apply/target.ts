// The target of edits: the current repository, or any folder with --no-git, and the place of the undo data.
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { type Git, openGit } from '../git/git.ts'
import { recover } from './files/write.ts'

export type ApplyTarget = {
  /** Paths are relative to this folder; it contains no links. */
  readonly root: string
  /** The folder of the journal, records and copies. */
  readonly home: string
  /** For merging; null only if git is not installed and not needed. */
  readonly git: Git | null
  /** Whether git tracks the files, so that uncommitted changes are known. */
  readonly isTracked: boolean
}

/** Finds the target and rolls back a command that died half-way. */
export async function openTarget(context: Context, withoutGit: boolean): Promise<ApplyTarget> {
  const target = await find(context, withoutGit)
  const recovered = await recover(target.home, context.machine, target.root)
  if (recovered) {
    context.out.warn(`A previous command died while writing ${recovered.id}; its files are restored.`)
    if (recovered.leftAlone.length > 0)
      context.out.warn(`Not restored, because they changed since: ${recovered.leftAlone.join(', ')}.`)
  }
  return target
}

async function find({ paths, env }: Context, withoutGit: boolean): Promise<ApplyTarget> {
  const { repository, cwd, state } = paths
  const root = await realpath(repository?.root ?? cwd)
  if (!withoutGit) {
    if (!repository)
      throw new Failure('no_repository', 'This is not a git repository.', {
        next: 'Change to one, or use --no-git: copies of the files are then kept in a folder.',
      })
    return { root, home: join(repository.gitFolder, 'cowrie'), git: openGit(root, env), isTracked: true }
  }
  if (!state)
    throw new Failure('no_home', 'No folder is available for copies of the files.', {
      next: 'Set HOME or XDG_STATE_HOME.',
    })
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return { root, home: join(state, 'folders', name), git: gitIfAny(root, env), isTracked: false }
}

function gitIfAny(root: string, env: Context['env']): Git | null {
  try {
    return openGit(root, env)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
