// How a transaction comes to content. It enters with what this process believes about the place; when that is old, or the place
// has to be made ready first, the transaction is turned away, the reason is put right outside of it, and it comes again.
import { ApiError } from '../../../kernel/errors.ts'
import type { Isolation } from '../../content/content.ts'
import { codeOf, toApiError } from '../errors.ts'
import { type Run, statementsOn } from '../pool.ts'
import type { Sql, TenantScope } from '../tx.ts'
import type { ReservedConnection } from './dedicated-pool.ts'
import type { DedicatedPools } from './dedicated-pools.ts'
import type { PlacementCache } from './placement-cache.ts'
import { enterContent, requireUsableTransaction } from './placement-sql.ts'
import type { TransactionBranch } from './transaction-branch.ts'

/** Content for one transaction, over all attempts at it. */
export type ContentAccess = {
  /** For an attempt, over the statements of its shared part. */
  attempt(shared: Sql): ContentAttempt
  /** Whether the attempt was turned away, and now need not be any more. Throws when it cannot be put right. */
  resolveRejection(): Promise<boolean>
  end(): void
}

export type ContentAttempt = {
  /** The first use enters. */
  readonly sql: Sql
  /** Makes durable what another database keeps, once we are known to be inside. */
  commit(onCommitting: () => void): Promise<void>
  /** Whether something has been made durable. */
  readonly isCommitted: boolean
  /** Ends what has not been committed. */
  rollBack(): void
}

const ELSEWHERE = 'CW001'
/** A place changes twice in its life, so this many tries are never needed; past them it is `busy`. */
const TURNS_MAX = 5

export function createContentAccess(
  reach: TenantScope,
  { beliefs, ownPools }: { beliefs: PlacementCache; ownPools: DedicatedPools },
): ContentAccess {
  let turns = 0
  let remedy: (() => Promise<void>) | undefined
  let admission: ReservedConnection | undefined

  function enter(shared: Sql, believed: Isolation): Promise<void> {
    const entered = enterContent(shared, reach, believed)
    // Nobody may be waiting for it yet. Who commits does, and the statements behind it fail as well.
    entered.catch((error) => {
      if (codeOf(error) === ELSEWHERE && reach !== 'platform') remedy = () => beliefs.refresh(reach)
    })
    return entered
  }

  /** Never waits for the other database while the shared connection is held. */
  function begin(): TransactionBranch | undefined {
    if (reach === 'platform') return undefined
    const admitted = admission ?? ownPools.tryReserve(reach)
    admission = undefined
    if (admitted) return admitted.begin()
    remedy = async () => {
      admission = await ownPools.reserve(reach)
    }
    return undefined
  }

  function attempt(shared: Sql): ContentAttempt {
    let entered: Promise<void> | undefined
    let branch: TransactionBranch | undefined
    let isTurnedAway = false
    let isKept = false
    let isOver = false
    let sql: Sql | undefined

    function open(): Sql {
      const believed = reach === 'platform' ? 'shared' : beliefs.get(reach)
      const inside = enter(shared, believed)
      entered = inside
      if (believed !== 'dedicated') return shared
      const run: Run = async (text, values) => {
        // Nothing is sent there before we are let in here.
        await inside
        if (isOver) throw new Error('this attempt at the transaction is over')
        if (!isTurnedAway) branch ??= begin()
        if (branch) return branch.run(text, values)
        isTurnedAway = true
        return turnAway()
      }
      return statementsOn(run)
    }

    return {
      get sql() {
        sql ??= open()
        return sql
      },
      get isCommitted() {
        return isKept
      },
      async commit(onCommitting) {
        await entered
        // Whatever the work made of it: it has not done what it wanted to.
        if (isTurnedAway) turnAway()
        if (!branch) return
        await requireUsableTransaction(shared)
        onCommitting()
        await branch.commit()
        isKept = true
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
      const now = remedy
      remedy = undefined
      if (!now) return false
      if (++turns > TURNS_MAX) throw new ApiError('busy')
      await now().catch((error) => {
        throw toApiError(error, false)
      })
      return true
    },
    end: () => admission?.release(),
  }
}

function turnAway(): never {
  throw new Error('the database of this organisation is not ready')
}
