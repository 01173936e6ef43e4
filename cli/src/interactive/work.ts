// The folder that a session works in, and what it opens there.
import type { Client } from '@cowrie/sdk'
import type { Session, StoredSession, Toolbox, TurnOutcome } from '../session/types.ts'

export type OpenSession = {
  readonly session: Session
  readonly toolbox: Toolbox
  /** Words of the hooks at the start, for the model. */
  readonly startOutput: string
  /** Runs the hooks after a turn. The words of one that objects are for the model; null if none does. */
  afterTurn(outcome: TurnOutcome): Promise<string | null>
}

export type SessionWish = {
  /** A stored session; null for a new one. */
  readonly taskId: string | null
  readonly model: string | null
  readonly budgetMinor: bigint | null
  /** The code of the currency, so that the service is not asked again. */
  readonly currency: string
  readonly account: string
}

export type ListedSession = StoredSession & {
  /** Another process works on it now. */
  readonly isBusy: boolean
  /** Of the user who opened it last, if that is known. */
  readonly account: string | undefined
}

export type Work = {
  /** Without links. */
  readonly root: string
  /** The name of the folder, for people. */
  readonly name: string
  readonly baseUrl: string
  readonly client: Client
  readonly isDataSaver: boolean
  /** Everything sent and received by this process. */
  bytes(): { readonly up: number; readonly down: number }
  /** The sessions of this folder, the last used first. */
  stored(): Promise<readonly ListedSession[]>
  open(wish: SessionWish): Promise<OpenSession>
  close(): Promise<void>
}

/** Names an account in stored sessions. */
export const accountOf = ({ userId, orgId }: { userId: string; orgId: string }): string =>
  `${userId} ${orgId}`

/** The page of a task in the app. */
export const pageOf = (baseUrl: string, taskId: string): string => `${baseUrl}/app/tasks/${taskId}`
