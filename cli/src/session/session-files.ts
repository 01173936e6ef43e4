// The files of the sessions of a repository, below the state folder of the user.
import { createHash, randomBytes } from 'node:crypto'
import { realpathSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../errors.ts'
import type { Paths } from '../system/paths.ts'
import { writeState } from '../system/state-file.ts'

export type SessionFiles = {
  /** Budget, position in the events, open turn. */
  readonly state: string
  readonly lock: string
  /** A turn that was not yet known to have started. */
  readonly pendingTurn: string
  /** Calls that have started, and reports that the service does not have yet. */
  readonly calls: string
  /** Texts of results that the service has. */
  readonly results: string
  /** Searches under way. */
  readonly searches: string
}

const TASK_ID = /^tsk_[0-9a-z]{26}$/

/** The folder of all sessions of a repository. */
export function sessionsFolder({ state }: Pick<Paths, 'state'>, root: string): string {
  if (state === null)
    throw new Failure('no_home', 'A session is stored before it is sent, and no state folder is available.', {
      next: 'Set HOME or XDG_STATE_HOME.',
    })
  const digest = createHash('sha256').update(realPath(root)).digest('hex')
  return join(state, 'sessions', digest.slice(0, 32))
}

function realPath(root: string): string {
  try {
    return realpathSync.native(root)
  } catch {
    return resolve(root)
  }
}

export function sessionFiles(folder: string, taskId: string): SessionFiles {
  if (!TASK_ID.test(taskId)) throw new Failure('no_session', `"${taskId}" is not the id of a session.`)
  const own = join(folder, taskId)
  return {
    state: `${own}.json`,
    lock: `${own}.lock`,
    pendingTurn: join(own, 'turn.json'),
    calls: join(own, 'calls'),
    results: join(own, 'results'),
    searches: join(own, 'searches'),
  }
}

/** The id of the session with this state file; null for other files. */
export function taskIdOf(fileName: string): string | null {
  const id = fileName.replace(/\.json$/, '')
  return fileName.endsWith('.json') && TASK_ID.test(id) ? id : null
}

/** On the disk when this returns, also after a power cut. */
export async function writeDurably(path: string, value: unknown): Promise<void> {
  await writeState(path, value)
  // A new name is durable only after its folder is. Some systems cannot open a folder.
  const folder = await open(dirname(path), 'r').catch(() => null)
  if (!folder) return
  await folder.sync().catch(() => undefined)
  await folder.close()
}

/** Keeps a file that cannot be read for the user, out of the way. Returns its new path. */
export function setAside(path: string): string {
  const aside = join(dirname(path), `${basename(path)}.damaged-${randomBytes(4).toString('hex')}`)
  try {
    renameSync(path, aside)
    return aside
  } catch {
    return path
  }
}
