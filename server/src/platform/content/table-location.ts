// Where tables of content stand: a schema of a database, reached with the rights of its owner.
import type { OrgId } from '../../kernel/ids.ts'
import { openPool, type Pool } from '../db/pool.ts'
import type { WithDeadline } from './move/deadline.ts'

export type TableLocation = {
  readonly sql: Pool
  readonly schema: string
  /** How long a transaction there is waited for; ours ends by itself. */
  readonly withDeadline?: WithDeadline
}

/** Who does something to an organisation's content, under a name that is never used again. */
export type MoverFence = { readonly org: OrgId; readonly mover: string }

/** As many moves as can be under way in one process; further ones wait. */
export const CONNECTIONS_MAX = 3

/** Opens nothing before the first statement; what is idle closes by itself. */
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
