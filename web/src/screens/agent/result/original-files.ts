// The original files of runs, stored in this browser. The service only has the new texts, and a diff needs both.
import { allKept, drop, keep, kept } from '../../../data/storage/browser-store.ts'
import type { TaskFile } from '../composer/file-secrets.ts'
import type { DoneStep } from '../progress/progress.ts'

const KIND = 'agent-base'
/** Runs with stored originals. Older runs can be compared with files that the user adds. */
const RUNS_MAX = 20

export type Bases = { files: readonly TaskFile[]; steps: readonly DoneStep[]; ceilingMinor: bigint | null }

export async function keepBases(owner: string, id: string, bases: Bases): Promise<void> {
  await keep(owner, KIND, id, bases)
  const older = (await allKept(owner, KIND)).slice(RUNS_MAX)
  await Promise.all(older.map((each) => drop(owner, KIND, each.id)))
}

export const basesOf = async (owner: string, id: string): Promise<Bases | null> =>
  (await kept<Bases>(owner, KIND, id))?.value ?? null

/** Whether the text is the original. Without digest support it counts as the original. */
export async function isBase(text: string, sha256: string | null): Promise<boolean> {
  if (sha256 === null || !globalThis.crypto?.subtle) return true
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}
