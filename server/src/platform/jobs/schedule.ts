// Recurring jobs: each due occurrence is enqueued by exactly one replica.
import type { App } from '../app.ts'
import type { Tx } from '../db/tx.ts'
import { enqueue } from './enqueue.ts'
import type { Schedule } from './job-kind.ts'
import * as sql from './sql.ts'

/** Returns a function to call often. It enqueues due occurrences and queries the database only when one may be due. */
export function createScheduler(app: () => App, schedules: readonly Schedule[]): () => Promise<void> {
  // Undefined until this replica has created the rows of its schedules.
  let nextAt: Date | null | undefined
  return async function fire() {
    if (schedules.length === 0 || nextAt === null) return
    if (nextAt && app().clock.now() < nextAt) return
    const first = nextAt === undefined
    nextAt = await app().db.tx('platform', async (tx) => {
      if (first) await ensureRows(tx, schedules)
      return fireDue(tx, schedules)
    })
  }
}

/** The first occurrence after an instant. Missed occurrences are not repeated one by one. */
export function occurrenceAfter(instant: Date, everySeconds: number): Date {
  const everyMs = everySeconds * 1000
  return new Date((Math.floor(instant.getTime() / everyMs) + 1) * everyMs)
}

function ensureRows(tx: Tx, schedules: readonly Schedule[]): Promise<void> {
  const names = schedules.map(({ name }) => name)
  return sql.upsertSchedules(
    tx,
    names,
    schedules.map(({ everySeconds }) => occurrenceAfter(tx.now, everySeconds)),
  )
}

/** The row lock selects the replica. The key prevents a second job while the last one is still waiting. */
async function fireDue(tx: Tx, schedules: readonly Schedule[]): Promise<Date | null> {
  const names = schedules.map(({ name }) => name)
  const locked = new Set((await sql.lockDueSchedules(tx, names)).map(({ name }) => name))
  const due = schedules.filter(({ name }) => locked.has(name))
  // Sent together: dozens are due at the full hour and after a pause.
  await Promise.all(
    due.flatMap(({ name, job, everySeconds, payload = {} }) => [
      enqueue(tx, job, payload, { key: `schedule ${name}` }),
      sql.updateNextOccurrence(tx, name, occurrenceAfter(tx.now, everySeconds)),
    ]),
  )
  return sql.earliestSchedule(tx, names)
}
