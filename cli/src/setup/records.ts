// The record of a setup, for its undo and check: one private file per client.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { CLIENT_RECIPES, type ClientId, type ClientRecipe } from '@cowrie/sdk/clients'
import type { KeyLimits } from '../auth/key-limits.ts'
import { Failure } from '../errors.ts'
import type { Paths } from '../system/paths.ts'
import { isRecord, readState, removeState, writeState } from '../system/state-file.ts'
import type { Change, FormatName } from './formats/format.ts'

export type ChangedFile = {
  readonly path: string
  readonly format: FormatName
  /** The text before the setup; null when the file did not exist. */
  readonly before: string | null
  readonly mode: number | null
  readonly changes: readonly Change[]
  /** The hash of the text that the setup wrote. */
  readonly written: string
}

/** JSON has no large integers, so the budget is text. */
export type StoredLimits = Omit<KeyLimits, 'budgetMinor'> & { readonly budgetMinor?: string }

export const storeLimits = ({ budgetMinor, ...rest }: KeyLimits): StoredLimits => ({
  ...rest,
  ...(budgetMinor !== undefined && { budgetMinor: String(budgetMinor) }),
})

export const restoreLimits = ({ budgetMinor, ...rest }: StoredLimits): KeyLimits => ({
  ...rest,
  ...(budgetMinor !== undefined && { budgetMinor: BigInt(budgetMinor) }),
})

export type SetupRecord = {
  readonly client: ClientId
  readonly baseUrl: string
  readonly model: string
  readonly keyId: string
  /** Revokes itself at the undo, and makes the call of --check. */
  readonly key: string
  /** The key that created it, which must stay valid; null when it is unknown. */
  readonly parentKeyId: string | null
  readonly at: string
  /** The limits of the key, which a later setup keeps. Absent in older records. */
  readonly limits?: StoredLimits
  readonly files: readonly ChangedFile[]
  readonly folders: readonly string[]
}

export const readRecord = (paths: Paths, client: string): SetupRecord | null => {
  const path = recordPath(paths, client)
  return path === null ? null : readState(path, isSetupRecord)
}

/** The clients whose keys are revoked together with this key, because it created them. */
export const clientsOfKey = (paths: Paths, keyId: string | null): ClientRecipe[] =>
  keyId === null ? [] : CLIENT_RECIPES.filter(({ id }) => readRecord(paths, id)?.parentKeyId === keyId)

export const saveRecord = (paths: Paths, record: SetupRecord): Promise<void> =>
  writeState(requirePath(paths, record.client), record)

export const removeRecord = (paths: Paths, client: string): void => removeState(requirePath(paths, client))

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const recordPath = ({ state }: Paths, client: string): string | null =>
  state && join(state, 'clients', `${client}.json`)

/** Throws without a home folder: an undo would be impossible. */
export function requirePath(paths: Paths, client: string): string {
  const path = recordPath(paths, client)
  if (path) return path
  throw new Failure('no_home', 'A setup cannot be recorded: neither XDG_STATE_HOME nor HOME is set.')
}

const isSetupRecord = (value: unknown): value is SetupRecord =>
  isRecord(value) &&
  [value.client, value.baseUrl, value.model, value.keyId, value.key].every(
    (each) => typeof each === 'string',
  ) &&
  Array.isArray(value.folders) &&
  Array.isArray(value.files) &&
  value.files.every((file) => isRecord(file) && typeof file.path === 'string' && Array.isArray(file.changes))
