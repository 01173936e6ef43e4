// A schema with content tables, accessed with the rights of the database owner.
import type { OrgId } from '../../kernel/ids.ts'
import { openPool, type Pool } from '../db/pool.ts'
import type { WithDeadline } from './move/deadline.ts'

export type TableLocation = {
  readonly sql: Pool
  readonly schema: string
  /** Limits the wait for a dedicated database. The shared database has its own timeouts. */
  readonly withDeadline?: WithDeadline
}

/** Identifies the mover that may currently write the content of an organisation. A mover id is never reused. */
export type MoverFence = { readonly org: OrgId; readonly mover: string }

/** The maximum number of concurrent moves in one process. */
export const CONNECTIONS_MAX = 3

/** Connects with the first statement and closes idle connections. */
export function openOwnerPool(url: string, max = CONNECTIONS_MAX): Pool {
  return openPool(url, {
    max,
    connectTimeoutMs: 5_000,
    idleMs: 20_000,
    statementTimeoutMs: 300_000,
    session: {
      application_name: 'cowrie content',
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 0,
    },
  })
}
