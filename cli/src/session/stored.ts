// Lists the stored sessions of a repository, for /resume and `cowrie resume`.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Paths } from '../system/paths.ts'
import { isLocked } from './lock.ts'
import { sessionFiles, sessionsFolder, taskIdOf } from './session-files.ts'
import { readSessionState } from './state.ts'
import type { StoredSession } from './types.ts'
import { isUnused } from './unused-sessions.ts'

export type StoredSessions = {
  /** The last used one first. */
  readonly sessions: readonly (StoredSession & {
    /** Another process works on it now. */
    readonly isBusy: boolean
    /** Where its tools keep their records. */
    readonly toolsFolder: string | null
    /** The address of its service, if it is known. */
    readonly baseUrl: string | undefined
    readonly account: string | undefined
  })[]
  /** Files that could not be read, as they are named now. Their sessions can be resumed by id. */
  readonly damaged: readonly string[]
}

export async function listSessions(paths: Pick<Paths, 'state'>, root: string): Promise<StoredSessions> {
  const folder = sessionsFolder(paths, root)
  const damaged: string[] = []
  const sessions = namesIn(folder).flatMap((name) => {
    const taskId = taskIdOf(name)
    if (taskId === null) return []
    const files = sessionFiles(folder, taskId)
    const { value, damaged: aside } = readSessionState(files.state)
    if (aside !== null) damaged.push(aside)
    if (value === null || value.taskId !== taskId || isUnused(value, files)) return []
    const { title, usedAt, spentMinor, exploredMinor, currency, openTurn } = value
    return {
      taskId,
      title,
      usedAt,
      spentMinor: spentMinor + exploredMinor,
      currency,
      // A turn that was sent without an answer is open too.
      isOpen: openTurn !== null || existsSync(files.pendingTurn),
      isBusy: isLocked(files.lock),
      toolsFolder: value.toolsFolder,
      baseUrl: value.baseUrl,
      account: value.account,
    }
  })
  sessions.sort((a, b) => (a.usedAt < b.usedAt ? 1 : a.usedAt > b.usedAt ? -1 : 0))
  return { sessions, damaged }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A folder for the tools of a new session. `openSession` stores it with the session. */
export const newToolsFolder = (paths: Pick<Paths, 'state'>, root: string): string =>
  join(sessionsFolder(paths, root), `tools-${randomBytes(8).toString('hex')}`)
