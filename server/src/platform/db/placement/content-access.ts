// Gives a transaction access to content. It enters with the cached placement of the organisation. If the placement is stale, or a
// dedicated database is not ready, the attempt is rejected, the cause is resolved outside the transaction, and it is retried.
import { ApiError } from '../../../kernel/errors.ts'
import type { Isolation } from '../../content/content.ts'
import { codeOf, toApiError } from '../errors.ts'
import { type RunStatement, statementsOn } from '../pool.ts'
import type { Sql, TenantScope } from '../tx.ts'
import type { ReservedConnection } from './dedicated-pool.ts'
import type { DedicatedPools } from './dedicated-pools.ts'
import type { PlacementCache } from './placement-cache.ts'
import { enterContent, requireUsableTransaction } from './placement-sql.ts'
import type { TransactionBranch } from './transaction-branch.ts'

/** Content access of one transaction, over all its attempts. */
export type ContentAccess = {
  /** For one attempt, on the statements of its part in the shared database. */
  attempt(shared: Sql): ContentAttempt
  /** Resolves the cause of a rejection. False when the attempt was not rejected. Throws when the cause cannot be resolved. */
  resolveRejection(): Promise<boolean>
  end(): void
}

export type ContentAttempt = {
  /** The first use enters the placement. */
  readonly sql: Sql
  /** Commits the part in a dedicated database, after the shared database has confirmed the placement. */
  commit(onCommitting: () => void): Promise<void>
  /** Whether the part in a dedicated database is committed. */
  readonly isCommitted: boolean
  /** Rolls back unless it is committed. */
  rollBack(): void
}

const STALE_PLACEMENT = 'CW001'
/** A placement changes twice in its life, so this limit is never reached in practice. Beyond it: `busy`. */
const REJECTIONS_MAX = 5

export function createContentAccess(
  scope: TenantScope,
  { placements, dedicatedPools }: { placements: PlacementCache; dedicatedPools: DedicatedPools },
): ContentAccess {
  let rejections = 0
  let remedy: (() => Promise<void>) | undefined
  let reserved: ReservedConnection | undefined

  function enter(shared: Sql, isolation: Isolation): Promise<void> {
    const entered = enterContent(shared, scope, isolation)
    // This handler prevents an unhandled rejection: `commit` awaits the promise, and later statements fail as well.
    entered.catch((error) => {
      if (codeOf(error) === STALE_PLACEMENT && scope !== 'platform') remedy = () => placements.refresh(scope)
    })
    return entered
  }

  /** Never waits for the dedicated database while the shared connection is held. */
  function begin(): TransactionBranch | undefined {
    if (scope === 'platform') return undefined
    const connection = reserved ?? dedicatedPools.tryReserve(scope)
    reserved = undefined
    if (connection) return connection.begin()
    remedy = async () => {
      reserved = await dedicatedPools.reserve(scope)
    }
    return undefined
  }

  function attempt(shared: Sql): ContentAttempt {
    let entered: Promise<void> | undefined
    let branch: TransactionBranch | undefined
    let isRejected = false
    let isCommitted = false
    let isOver = false
    let sql: Sql | undefined

    function open(): Sql {
      const isolation = scope === 'platform' ? 'shared' : placements.get(scope)
      const confirmed = enter(shared, isolation)
      entered = confirmed
      if (isolation !== 'dedicated') return shared
      const run: RunStatement = async (text, values) => {
        // The dedicated database gets no statement before the shared database has confirmed the placement.
        await confirmed
        if (isOver) throw new Error('This attempt at the transaction has ended.')
        if (!isRejected) branch ??= begin()
        if (branch) return branch.run(text, values)
        isRejected = true
        return reject()
      }
      return statementsOn(run)
    }

    return {
      get sql() {
        sql ??= open()
        return sql
      },
      get isCommitted() {
        return isCommitted
      },
      async commit(onCommitting) {
        await entered
        // The work may have caught the rejection, but its statements did not run.
        if (isRejected) reject()
        if (!branch) return
        await requireUsableTransaction(shared)
        onCommitting()
        await branch.commit()
        isCommitted = true
      },
      rollBack() {
        isOver = true
        branch?.rollBack()
      },
    }
  }

  return {
    attempt,
    async resolveRejection() {
      const resolve = remedy
      remedy = undefined
      if (!resolve) return false
      if (++rejections > REJECTIONS_MAX) throw new ApiError('busy')
      await resolve().catch((error) => {
        throw toApiError(error, false)
      })
      return true
    },
    end: () => reserved?.release(),
  }
}

function reject(): never {
  throw new Error('The dedicated database of this organisation is not ready.')
}
