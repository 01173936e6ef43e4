// Where edits go: the repository one stands in, or with --no-git any folder, and where what is needed to undo them is kept.
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { type Git, openGit } from '../git/git.ts'
import { Failure } from '../wrong.ts'
import { recover } from './write.ts'

export type Ground = {
  /** The folder that paths are counted from; no part of it is a link. */
  readonly root: string
  /** Where journal, records and copies are. */
  readonly home: string
  /** To merge with; null only where there is no git on this computer, and none is asked for. */
  readonly git: Git | null
  /** Whether git keeps the files, so that it is known what is in no commit. */
  readonly isKept: boolean
}

/** Finds it, and puts back what a command that died has left half done there. */
export async function standOn(context: Context, withoutGit: boolean): Promise<Ground> {
  const ground = await find(context, withoutGit)
  const recovered = await recover(ground.home, context.machine, ground.root)
  if (recovered) {
    context.out.warn(
      `The files of ${recovered.id} were half written by a command that died; they are put back.`,
    )
    if (recovered.leftAlone.length > 0)
      context.out.warn(
        `Left as they are, because they were changed since: ${recovered.leftAlone.join(', ')}.`,
      )
  }
  return ground
}

async function find({ places, env }: Context, withoutGit: boolean): Promise<Ground> {
  const { repository, cwd, state } = places
  const root = await realpath(repository?.root ?? cwd)
  if (!withoutGit) {
    if (!repository)
      throw new Failure('no_repository', 'This is no git repository.', {
        next: 'Go to one, or say --no-git: copies of the files are then kept in a folder.',
      })
    return { root, home: join(repository.gitFolder, 'cowrie'), git: openGit(root, env), isKept: true }
  }
  if (!state)
    throw new Failure('no_home', 'There is no place to keep copies of the files.', {
      next: 'Set HOME or XDG_STATE_HOME.',
    })
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return { root, home: join(state, 'folders', name), git: gitIfAny(root, env), isKept: false }
}

function gitIfAny(root: string, env: Context['env']): Git | null {
  try {
    return openGit(root, env)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
