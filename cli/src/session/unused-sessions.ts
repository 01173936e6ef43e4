// Sessions in which no message was sent: they are not listed, and are removed when they are closed.
import { existsSync } from 'node:fs'
import { removeState } from '../system/state-file.ts'
import type { TaskService } from './service.ts'
import type { SessionFiles } from './session-files.ts'
import type { StoredState } from './state.ts'
import { DEFAULT_TITLE } from './title.ts'

/** A program that ends must not wait longer for this. */
const PATIENCE_MS = 2_000

export const isUnused = (
  { title, openTurn, spentMinor, seq }: StoredState,
  { pendingTurn }: Pick<SessionFiles, 'pendingTurn'>,
): boolean =>
  title === DEFAULT_TITLE && openTurn === null && spentMinor === 0n && seq === 0 && !existsSync(pendingTurn)

/** False if it cannot be removed, or has a message of another device. */
export async function removeUnused(
  taskId: string,
  files: Pick<SessionFiles, 'state'>,
  service: Pick<TaskService, 'get' | 'remove'>,
): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const { turns } = await service.get(taskId, signal)
    if (turns.length > 0) return false
    await service.remove(taskId, signal)
    removeState(files.state)
    return true
  } catch {
    return false
  }
}
