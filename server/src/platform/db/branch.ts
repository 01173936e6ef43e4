// The part of a transaction that is in another database: open beside the shared part, and ended by it.
import type { OrgId } from '../../kernel/ids.ts'
import { setReach } from './places-sql.ts'
import { type Run, runOn, statementsOn } from './statements.ts'
import type { Wire } from './wire.ts'

export type Branch = {
  /** Refuses once the branch has been ended: work that goes on without its transaction reaches nobody else's. */
  readonly run: Run
  /** Rejects when it has been rolled back. */
  commit(): Promise<void>
  /** Nothing of it stays. Does not wait: the database does so by itself when it cannot be told. */
  rollBack(): void
  /** Settles when the connection is free again; rejects with what went wrong, a rollback among it. */
  readonly done: Promise<unknown>
}

/** What was asked there and is not answered for `silenceMs` never will be: the wire is cut. */
export function beginBranch({ pool, cut }: Wire, org: OrgId, silenceMs: number): Branch {
  const opened = Promise.withResolvers<Run>()
  const verdict = Promise.withResolvers<'commit' | 'roll back'>()
  const watched = createWatch(silenceMs, cut)
  let isOver = false

  const done = pool.begin(async (connection) => {
    const run = runOn(connection)
    const reached = watched(setReach(statementsOn(pool, run), org))
    opened.resolve(run)
    const [decision] = await Promise.all([verdict.promise, reached])
    if (decision === 'roll back') throw new Error('rolled back with the rest of its transaction')
  })
  done.catch(opened.reject)
  // Who runs a statement hears of it.
  watched(opened.promise).catch(() => undefined)

  return {
    done,
    async run(text, values) {
      const run = await opened.promise
      if (isOver) throw new Error('this part of the transaction is over')
      return watched(run(text, values))
    },
    async commit() {
      isOver = true
      verdict.resolve('commit')
      await watched(done)
    },
    rollBack() {
      isOver = true
      verdict.resolve('roll back')
      // Who has the connection hears of it.
      watched(done).catch(() => undefined)
    },
  }
}

/** Calls `onSilence` whenever no answer has come for so long while one is due. */
function createWatch(silenceMs: number, onSilence: () => void) {
  let due = 0
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    clearInterval(timer)
    timer = setInterval(onSilence, silenceMs)
  }
  return async <T>(answer: PromiseLike<T>): Promise<T> => {
    if (due++ === 0) begin()
    try {
      return await answer
    } finally {
      if (--due === 0) clearInterval(timer)
      else begin()
    }
  }
}
