// Recurring jobs: each due occurrence is enqueued by exactly one replica.
import type { App } from '../app.ts'
import type { Tx } from '../db/tx.ts'
import { enqueue } from './enqueue.ts'
import type { Schedule } from './job-kind.ts'
import * as sql from './sql.ts'

/** Returns what to call often: it enqueues what is due, and asks the database only when something may be. */
export function createScheduler(app: () => App, schedules: readonly Schedule[]): () => Promise<void> {
  // Undefined until this replica has made sure that all of its schedules have their rows.
  let nextAt: Date | null | undefined
  return async function fire() {
    if (schedules.length === 0 || nextAt === null) return
    if (nextAt && app().clock.now() < nextAt) return
    const first = nextAt === undefined
    nextAt = await app().db.tx('platform', async (tx) => {
      if (first) await keepRows(tx, schedules)
      return fireDue(tx, schedules)
    })
  }
}

/** The first occurrence after an instant. What was missed while nobody ran is not made up for one by one. */
export function occurrenceAfter(instant: Date, everySeconds: number): Date {
  const everyMs = everySeconds * 1000
  return new Date((Math.floor(instant.getTime() / everyMs) + 1) * everyMs)
}

function keepRows(tx: Tx, schedules: readonly Schedule[]): Promise<void> {
  const names = schedules.map(({ name }) => name)
  return sql.upsertSchedules(
    tx,
    names,
    schedules.map(({ everySeconds }) => occurrenceAfter(tx.now, everySeconds)),
  )
}

/** The row lock chooses the replica; the key keeps a schedule whose last job still waits from piling up. */
async function fireDue(tx: Tx, schedules: readonly Schedule[]): Promise<Date | null> {
  const names = schedules.map(({ name }) => name)
  const due = new Set((await sql.lockDueSchedules(tx, names)).map(({ name }) => name))
  for (const { name, job, everySeconds, payload = {} } of schedules) {
    if (!due.has(name)) continue
    await enqueue(tx, job, payload, { key: `schedule ${name}` })
    await sql.updateNextOccurrence(tx, name, occurrenceAfter(tx.now, everySeconds))
  }
  return sql.earliestSchedule(tx, names)
}
