// Days that are over are summed once and for all, so that reading back a year does not read every point of it.
import { after, before } from '../../kernel/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue, job, type Schedule } from '../../platform/jobs/jobs.ts'
import * as sql from './seals-sql.ts'
import { startOfDay } from './span.ts'

/** A point carries the instant at which its settlement was sent, and is there a minute later or never. */
const POINTS_ARRIVE_WITHIN = { hours: 1 }
/** Counted again with every run, in case an hour was not enough all the same. */
const COUNTED_AGAIN_DAYS = 2

const DAYS_AT_ONCE = 7
const ROUNDS_MAX = 60
const STATEMENT_TIMEOUT_MS = 120_000
const JOB_TIMEOUT_MS = 600_000

/** Seals the next days that are over, at most so many. Says how many; 0 when none is left or another replica is at it. */
export async function sealNext(tx: Tx, most = DAYS_AT_ONCE): Promise<number> {
  if (!(await sql.beginSealing(tx, STATEMENT_TIMEOUT_MS))) return 0
  const from = (await sql.sealedUntil(tx)) ?? (await firstDay(tx))
  if (from === null) return 0
  const over = startOfDay(before(tx.now, POINTS_ARRIVE_WITHIN))
  const to = new Date(Math.min(over.getTime(), after(from, { days: most }).getTime()))
  if (to <= from) return 0
  return sql.sealDays(tx, { from, to })
}

/** Makes the sums of the days sealed last anew where a point came after the seal. Says when those days began. */
export async function repairLate(tx: Tx): Promise<Date[]> {
  if (!(await sql.beginSealing(tx, STATEMENT_TIMEOUT_MS))) return []
  const changed = await sql.changedDays(tx, COUNTED_AGAIN_DAYS)
  for (const day of changed) {
    await sql.unsealDay(tx, day)
    await sql.sealDays(tx, day)
  }
  return changed.map(({ from }) => from)
}

export const sealUsage = job('metering.sealUsage', {
  timeoutMs: JOB_TIMEOUT_MS,
  async run(app, { signal }) {
    const late = await app.db.tx('platform', repairLate)
    for (const day of late) app.log.warn({ day }, 'metering.usage_day.reopened')
    for (let round = 0; round < ROUNDS_MAX; round++) {
      signal.throwIfAborted()
      if ((await app.db.tx('platform', (tx) => sealNext(tx))) === 0) return
    }
    // A year and more was slept through: the rest is the next job's.
    await app.db.tx('platform', (tx) => enqueue(tx, 'metering.sealUsage', {}, { key: 'rest' }))
  },
})

export const sealUsageSchedule: Schedule = {
  name: 'metering.sealUsage',
  job: 'metering.sealUsage',
  everySeconds: 3_600,
}

async function firstDay(tx: Tx): Promise<Date | null> {
  const at = await sql.firstPointAt(tx)
  return at && startOfDay(at)
}
