// The original files of runs, stored in this browser. The service only has the new texts, and a diff needs both.
import { deleteRow, listRows, loadRow, saveRow } from '../../../data/storage/browser-store.ts'
import type { TaskFile } from '../composer/file-secrets.ts'
import type { FinishedStep } from '../progress/progress.ts'

const KIND = 'agent-base'
/** Runs with stored originals. Older runs can be compared with files that the user adds. */
const RUNS_MAX = 20

export type OriginalFiles = {
  files: readonly TaskFile[]
  steps: readonly FinishedStep[]
  ceilingMinor: bigint | null
}

export async function saveOriginals(owner: string, id: string, bases: OriginalFiles): Promise<void> {
  await saveRow(owner, KIND, id, bases)
  const older = (await listRows(owner, KIND)).slice(RUNS_MAX)
  await Promise.all(older.map((each) => deleteRow(owner, KIND, each.id)))
}

export const loadOriginals = async (owner: string, id: string): Promise<OriginalFiles | null> =>
  (await loadRow<OriginalFiles>(owner, KIND, id))?.value ?? null

/** Whether the text is the original. Without digest support it counts as the original. */
export async function isOriginal(text: string, sha256: string | null): Promise<boolean> {
  if (sha256 === null || !globalThis.crypto?.subtle) return true
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}
