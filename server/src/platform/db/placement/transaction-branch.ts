// The part of a transaction in a dedicated database. It is open beside the part in the shared database, which ends it.
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool, RunStatement } from '../pool.ts'
import { setTenantScope } from './placement-sql.ts'

export type TransactionBranch = {
  /** Fails once the branch has ended, so that late work cannot reach another transaction. */
  readonly run: RunStatement
  /** Rejects when the branch was rolled back. */
  commit(): Promise<void>
  /** Does not wait. If the database cannot be reached, it rolls back by itself. */
  rollBack(): void
  /** Settles when the connection is free again. Rejects with the error, also for a rollback. */
  readonly done: Promise<unknown>
}

export function beginBranch(pool: Pool, org: OrgId): TransactionBranch {
  const opened = Promise.withResolvers<RunStatement>()
  const decision = Promise.withResolvers<'commit' | 'roll back'>()
  let isOver = false

  const done = pool.begin(async (tx) => {
    // Not awaited: it is sent together with the first statement.
    const scoped = setTenantScope(tx, org)
    opened.resolve((text, values) => tx.rows(text, ...values))
    const [decided] = await Promise.all([decision.promise, scoped])
    if (decided === 'roll back') throw new Error('This branch was rolled back with its transaction.')
  })
  done.catch(opened.reject)
  // Callers of `run` get this error.
  opened.promise.catch(() => undefined)

  return {
    done,
    async run(text, values) {
      const run = await opened.promise
      if (isOver) throw new Error('This branch of the transaction has ended.')
      return run(text, values)
    },
    async commit() {
      isOver = true
      decision.resolve('commit')
      await done
    },
    rollBack() {
      isOver = true
      decision.resolve('roll back')
      // The holder of the connection gets this error.
      done.catch(() => undefined)
    },
  }
}
