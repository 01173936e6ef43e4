// Locks of migrations. One process migrates at a time, and a migration waits only briefly for the tables that it changes: requests of
// the previous release queue behind a waiting `alter table`.
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../errors.ts'
import type { Pool, Statements } from '../pool.ts'

export type LockPatience = {
  /** How long a statement waits for a lock. */
  readonly waitMs: number
  readonly attempts: number
  /** Between two attempts, so that the queued requests are served. */
  readonly pauseMs: number
}

export const LOCK_PATIENCE: LockPatience = { waitMs: 2_000, attempts: 15, pauseMs: 3_000 }
const POLL_MS = 100

/**
 * Runs `work` in a transaction of the only migrating process. Other processes poll: a statement that waits has a snapshot, for which
 * `create index concurrently` would wait in turn.
 */
export async function underMigrationLock<T>(
  sql: Pool,
  lock: number,
  work: (tx: Statements) => Promise<T>,
  patience: LockPatience = LOCK_PATIENCE,
): Promise<T> {
  return repeatUntilLocked(patience, async () => {
    for (;;) {
      const done = await sql.begin(async (tx) => {
        const { isOurs } = await tx.one<{
          isOurs: boolean
        }>`select pg_try_advisory_xact_lock(${lock}) as "isOurs"`
        if (!isOurs) return null
        await tx.rows`select set_config('lock_timeout', ${`${patience.waitMs}ms`}, true)`
        return { result: await work(tx) }
      })
      if (done) return done.result
      await pause(POLL_MS)
    }
  })
}

/** The same without a transaction. The pool has one connection, which holds the lock. */
export async function underMigrationSession<T>(
  sql: Pool,
  lock: number,
  work: () => Promise<T>,
  patience: LockPatience = LOCK_PATIENCE,
): Promise<T> {
  const tryLock = () => sql.one<{ isOurs: boolean }>`select pg_try_advisory_lock(${lock}) as "isOurs"`
  while (!(await tryLock()).isOurs) await pause(POLL_MS)
  try {
    return await repeatUntilLocked(patience, work)
  } finally {
    await sql.rows`select pg_advisory_unlock(${lock})`
  }
}

/** A lock timeout, or the victim of a deadlock. Both have changed nothing that a repetition does not undo. */
const isLockFailure = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error))

/** Names the migration in the error of a lock that it did not get. */
export async function asMigration<T>(name: string, statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (!isLockFailure(error)) throw error
    const message = `The migration ${name} did not get its locks: another transaction uses its tables. Nothing was changed. End that transaction and start again.`
    throw Object.assign(new Error(message, { cause: error }), { code: codeOf(error) })
  }
}

async function repeatUntilLocked<T>({ attempts, pauseMs }: LockPatience, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isLockFailure(error) || attempt >= attempts) throw error
      await pause(pauseMs)
    }
  }
}
