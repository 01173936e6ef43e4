// The options of a session, and what opening it has found.
import type { Client } from '@cowrie/sdk'
import type { Paths } from '../system/paths.ts'
import type { ExploreTool } from './explore.ts'
import type { SessionLock } from './lock.ts'
import type { TaskService } from './service.ts'
import type { SessionFiles } from './session-files.ts'
import type { StoredState } from './state.ts'
import type { ByteCount } from './transport.ts'
import type { Toolbox } from './types.ts'

export type SessionOptions = {
  readonly client: Client
  readonly toolbox: Toolbox
  readonly root: string
  /** The address of the service, so that it is asked only for its own sessions. */
  readonly baseUrl?: string | undefined
  /** The user and the organisation, so that others do not see the session in lists. */
  readonly account?: string | undefined
  readonly paths: Pick<Paths, 'state'>
  /** A stored session, or any task of a client workspace. Default: a new one. */
  readonly taskId?: string | undefined
  readonly title?: string | undefined
  /** Default: chosen for each turn. */
  readonly model: string | null
  /** Of a new session. */
  readonly budgetMinor: bigint | null
  /** Shown to people, such as the name of the folder and of the computer. */
  readonly workspaceName: string
  readonly isDataSaver: boolean
  /** Of the transport. */
  readonly bytes: () => ByteCount
  /** The code of the currency, if it is known. Otherwise the service is asked. */
  readonly currency?: string | undefined
  /** Where the tools keep their records, for `listSessions`. */
  readonly toolsFolder?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Also one of the groups of the toolbox. */
  readonly explore?: ExploreTool | undefined
}

export type OpenedSession = {
  readonly options: SessionOptions
  readonly service: TaskService
  readonly files: SessionFiles
  readonly lock: SessionLock
  readonly state: StoredState
  /** The number of the last event when the spending was read. */
  readonly countedSeq: number
  readonly notices: readonly string[]
  readonly balanceMinor: bigint | null
}
