// The stored state of a session. The transcript is on the service; this is what a later process needs to continue.
import { existsSync } from 'node:fs'
import { isRecord, readState } from '../system/state-file.ts'
import type { NewTaskTurn } from './service.ts'
import { setAside } from './session-files.ts'

export type OpenTurn = {
  readonly turnId: string
  /** Started by this session, not by the web or another device. */
  readonly isOwn: boolean
  /** The user asked for its end, and the service may not know yet. */
  readonly isStopWanted: boolean
}

export type StoredState = {
  readonly version: 1
  readonly taskId: string
  readonly root: string
  /** The address of the service. Missing in older files. */
  readonly baseUrl?: string | undefined
  /** The user and the organisation. Missing in older files. */
  readonly account?: string | undefined
  readonly title: string
  readonly currency: string
  readonly createdAt: string
  readonly usedAt: string
  /** Of the task on the service, when this was stored. */
  readonly spentMinor: bigint
  /** Of the session, with what `explore` has spent. */
  readonly budgetMinor: bigint | null
  /** The budget of the task on the service. It does not know what `explore` has spent. */
  readonly sentBudgetMinor: bigint | null
  /** Spent by `explore`, in tasks beside this one. */
  readonly exploredMinor: bigint
  /** For searches of the open turn: what is left, and the limit of each. */
  readonly search: { readonly leftMinor: bigint; readonly eachMinor: bigint }
  /** Searches whose cost was counted lately. */
  readonly settledSearches: readonly string[]
  /** The number of the last event that was handled. */
  readonly seq: number
  readonly openTurn: OpenTurn | null
  /** Digest of the tools and conventions that the service has. */
  readonly toolsDigest: string | null
  /** Where the tools of this session keep their records. */
  readonly toolsFolder: string | null
  /** Effects of calls of a stopped turn that the model does not know yet. */
  readonly unreported: string | null
}

/** A turn that was not yet known to have started. The key is stored before the turn is sent, so it starts once. */
export type PendingTurn = {
  readonly key: string
  readonly createdAt: string
  readonly body: TurnBody
  /** The user gave it up before the service had answered. */
  readonly isStopWanted: boolean
}

/** The body of `POST /tasks/{id}/turns`. */
export type TurnBody = NewTaskTurn & { readonly maxMinor: bigint }

/** The budget of the session. It is that of the task and `explore`, unless the task has another one by now. */
export function budgetsOf(
  { budgetMinor, sentBudgetMinor, exploredMinor }: StoredState,
  task: { readonly budgetMinor: bigint | null },
): Pick<StoredState, 'budgetMinor' | 'sentBudgetMinor'> {
  if (task.budgetMinor === sentBudgetMinor) return { budgetMinor, sentBudgetMinor }
  return {
    budgetMinor: task.budgetMinor === null ? null : task.budgetMinor + exploredMinor,
    sentBudgetMinor: task.budgetMinor,
  }
}

/** A file that cannot be used is renamed, and `damaged` is its new path. */
export function readStored<T>(
  path: string,
  isOne: (value: unknown) => value is T,
): { readonly value: T | null; readonly damaged: string | null } {
  const value = readState(path, isOne)
  if (value !== null || !existsSync(path)) return { value, damaged: null }
  return { value: null, damaged: setAside(path) }
}

/** A file of another version may lack fields, or have more. One with another format is left alone and counts as absent. */
export function readSessionState(path: string): ReturnType<typeof readStored<StoredState>> {
  const found = readState(path, isRecord)
  if (typeof found?.version === 'number' && found.version !== 1) return { value: null, damaged: null }
  const value = { ...UNUSED_STATE, ...found }
  return found && isStoredState(value) ? { value, damaged: null } : readStored(path, isStoredState)
}

/** A session that has done nothing. Files of older versions may lack some of it. */
export const UNUSED_STATE = {
  title: '',
  createdAt: new Date(0).toISOString(),
  usedAt: new Date(0).toISOString(),
  spentMinor: 0n,
  budgetMinor: null,
  sentBudgetMinor: null,
  exploredMinor: 0n,
  search: { leftMinor: 0n, eachMinor: 0n },
  settledSearches: [],
  seq: 0,
  openTurn: null,
  toolsDigest: null,
  toolsFolder: null,
  unreported: null,
} as const

const isStoredState = (value: unknown): value is StoredState =>
  isRecord(value) &&
  value.version === 1 &&
  ['taskId', 'root', 'title', 'currency', 'createdAt', 'usedAt'].every(
    (name) => typeof value[name] === 'string',
  ) &&
  ['baseUrl', 'account'].every((name) => value[name] === undefined || typeof value[name] === 'string') &&
  typeof value.spentMinor === 'bigint' &&
  (value.budgetMinor === null || typeof value.budgetMinor === 'bigint') &&
  (value.sentBudgetMinor === null || typeof value.sentBudgetMinor === 'bigint') &&
  typeof value.exploredMinor === 'bigint' &&
  isRecord(value.search) &&
  typeof value.search.leftMinor === 'bigint' &&
  typeof value.search.eachMinor === 'bigint' &&
  Array.isArray(value.settledSearches) &&
  Number.isSafeInteger(value.seq) &&
  (value.openTurn === null || isOpenTurn(value.openTurn)) &&
  ['toolsDigest', 'toolsFolder', 'unreported'].every((name) => isTextOrNull(value[name]))

const isOpenTurn = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.turnId === 'string' &&
  typeof value.isOwn === 'boolean' &&
  typeof value.isStopWanted === 'boolean'

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'

export const isPendingTurn = (value: unknown): value is PendingTurn =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.createdAt === 'string' &&
  typeof value.isStopWanted === 'boolean' &&
  isRecord(value.body) &&
  typeof value.body.prompt === 'string' &&
  typeof value.body.maxMinor === 'bigint'
