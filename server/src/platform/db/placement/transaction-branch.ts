// The part of a transaction that is in another database: open beside the shared part, and ended by it.
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool, Run } from '../pool.ts'
import { setTenantScope } from './placement-sql.ts'

export type TransactionBranch = {
  /** Refuses once the branch has been ended: work that goes on without its transaction reaches nobody else's. */
  readonly run: Run
  /** Rejects when it has been rolled back. */
  commit(): Promise<void>
  /** Nothing of it stays. Does not wait: the database does so by itself when it cannot be told. */
  rollBack(): void
  /** Settles when the connection is free again; rejects with what went wrong, a rollback among it. */
  readonly done: Promise<unknown>
}

export function beginBranch(pool: Pool, org: OrgId): TransactionBranch {
  const opened = Promise.withResolvers<Run>()
  const verdict = Promise.withResolvers<'commit' | 'roll back'>()
  let isOver = false

  const done = pool.begin(async (tx) => {
    // Sent without waiting: it leaves with the first statement.
    const reached = setTenantScope(tx, org)
    opened.resolve((text, values) => tx.rows(text, ...values))
    const [decision] = await Promise.all([verdict.promise, reached])
    if (decision === 'roll back') throw new Error('rolled back with the rest of its transaction')
  })
  done.catch(opened.reject)
  // Who runs a statement hears of it.
  opened.promise.catch(() => undefined)

  return {
    done,
    async run(text, values) {
      const run = await opened.promise
      if (isOver) throw new Error('this part of the transaction is over')
      return run(text, values)
    },
    async commit() {
      isOver = true
      verdict.resolve('commit')
      await done
    },
    rollBack() {
      isOver = true
      verdict.resolve('roll back')
      // Who has the connection hears of it.
      done.catch(() => undefined)
    },
  }
}
