// The files of the next task, stored in this browser until it starts. A reload keeps them, and a run can be continued with them.
import { loadRow, saveRow } from './storage/browser-store.ts'

export type WorkspaceFile = { readonly path: string; readonly content: string; readonly bytes: number }
export type LeftOutFile = { readonly path: string; readonly reason: string }
/** `line`: the first line that looks like a secret. */
export type SecretFile = { readonly path: string; readonly line: number }
export type AcceptedFiles = {
  readonly files: readonly WorkspaceFile[]
  readonly leftOut: readonly LeftOutFile[]
  /** How many files the ignore rules and the folders of tools excluded. */
  readonly ignored: number
  /** Files that only hold secrets. They are not sent unless the user includes them. */
  readonly withheld: readonly WorkspaceFile[]
  readonly secrets: readonly SecretFile[]
}

export const NO_FILES: AcceptedFiles = { files: [], leftOut: [], ignored: 0, withheld: [], secrets: [] }

const KIND = 'task-form'
const NAME = 'files'

export const saveTaskFiles = (owner: string, files: AcceptedFiles): Promise<void> =>
  saveRow(owner, KIND, NAME, files)

export const loadTaskFiles = async (owner: string): Promise<AcceptedFiles | null> =>
  (await loadRow<AcceptedFiles>(owner, KIND, NAME))?.value ?? null
