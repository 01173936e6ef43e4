// Sums past days once ("sealing"), so that reading a year does not read all of its points.
import { after, before } from '../../kernel/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue, job, type Schedule } from '../../platform/jobs/jobs.ts'
import * as sql from './seals-sql.ts'
import { startOfDay } from './span.ts'

/** The time of a point is the start of its settlement. It is committed within a minute or never. */
const POINTS_ARRIVE_WITHIN = { hours: 1 }
/** Recent sealed days are checked again in every run, in case an hour was not enough. */
const COUNTED_AGAIN_DAYS = 2

const DAYS_AT_ONCE = 7
const ROUNDS_MAX = 60
const STATEMENT_TIMEOUT_MS = 120_000
const JOB_TIMEOUT_MS = 600_000

/** Seals the next past days, at most `most`. Returns their number; 0 when none is left or another replica is sealing. */
export async function sealNext(tx: Tx, most = DAYS_AT_ONCE): Promise<number> {
  if (!(await sql.beginSealing(tx, STATEMENT_TIMEOUT_MS))) return 0
  const from = (await sql.sealedUntil(tx)) ?? (await firstDay(tx))
  if (from === null) return 0
  const over = startOfDay(before(tx.now, POINTS_ARRIVE_WITHIN))
  const to = new Date(Math.min(over.getTime(), after(from, { days: most }).getTime()))
  if (to <= from) return 0
  return sql.sealDays(tx, { from, to })
}

/** Repeats the sums of recently sealed days with late points. Returns the starts of those days. */
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
    // More than a year is pending. The next job continues.
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
