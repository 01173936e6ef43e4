// The snapshot of the command that runs now, on disk: after a power cut the next process finds what the command had changed.
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Step } from '../../apply/files/journal.ts'
import { isRecord, readState } from '../../system/state-file.ts'

export type PendingSnapshot = {
  readonly callId: string
  readonly tree: string
  /** Paths that are not in the tree. */
  readonly left: readonly string[]
}

const NAME = 'pending.json'
/** The time of the file says how long the command was seen running. */
const BEAT_MS = 500
const DOUBT_MS = 1_500

/** Returns a function to call when the command has ended. */
export function writePending(folder: string, pending: PendingSnapshot): () => void {
  const path = join(folder, NAME)
  writeFileSync(path, JSON.stringify(pending), { mode: 0o600 })
  const beat = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(path, now, now)
    } catch {
      // The folder is gone: the session ends.
    }
  }, BEAT_MS)
  beat.unref()
  return () => clearInterval(beat)
}

/** The snapshot of a call whose process died; null if there is none. */
export function readPending(folder: string, callId: string): PendingSnapshot | null {
  const found = readState(join(folder, NAME), isPending)
  return found?.callId === callId ? found : null
}

/** Only the changes until the process died: later ones are those of the user. */
export async function untilDeath(
  folder: string,
  root: string,
  steps: readonly Step[],
): Promise<{ steps: Step[]; later: string[] }> {
  const { mtimeMs: seenMs } = await stat(join(folder, NAME))
  const kept: Step[] = []
  const later: string[] = []
  for (const step of steps) {
    const full = join(root, step.path)
    // A deleted file has no time. That of its folder tells.
    const found = await lstat(step.after === null ? dirname(full) : full).catch(() => null)
    if (found !== null && found.mtimeMs <= seenMs + DOUBT_MS) kept.push(step)
    else later.push(step.path)
  }
  return { steps: kept, later }
}

/** A git that was killed may have left a lock. */
export const unlockIndex = (folder: string): void => rmSync(join(folder, 'index.lock'), { force: true })

const isPending = (value: unknown): value is PendingSnapshot =>
  isRecord(value) &&
  typeof value.callId === 'string' &&
  typeof value.tree === 'string' &&
  Array.isArray(value.left) &&
  value.left.every((path) => typeof path === 'string')
