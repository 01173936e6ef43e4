// Figures of the job queue: due jobs that no worker has taken, and schedules that no replica has fired.
import { after } from '../../kernel/clock.ts'
import type { Tx } from '../db/tx.ts'
import { ageSeconds, COUNTED_MAX, type Figure, type FigureSource } from '../log/figures.ts'
import * as sql from './sql.ts'

/** `names`: the kinds of this build. Jobs of other kinds count as `other`, so that their names cannot add labels. */
export const jobFigures = (names: readonly string[], schedules: readonly string[]): FigureSource => ({
  name: 'jobs',
  metrics: {
    jobs_due: `Jobs that no worker has taken although they are due, by kind, up to ${COUNTED_MAX}.`,
    job_due_age_seconds: 'Time since the oldest of these jobs became due, by kind.',
    schedule_overdue_seconds: 'Time since the most overdue schedule should have started its job.',
  },
  async read(tx) {
    const known = new Set(names)
    const due = await sql.countDue(tx, COUNTED_MAX)
    const overdue: Figure = [
      'schedule_overdue_seconds',
      ageSeconds(tx.now, await sql.earliestSchedule(tx, schedules)),
    ]
    const byName = Map.groupBy(due, ({ name }) => (known.has(name) ? name : 'other'))
    const ages = [...byName].flatMap(([kind, all]): Figure[] => [
      ['jobs_due', all.reduce((sum, { count }) => sum + count, 0), { kind }],
      ['job_due_age_seconds', Math.max(...all.map(({ since }) => ageSeconds(tx.now, since))), { kind }],
    ])
    return [overdue, ...ages]
  },
})

/** The longest delay of a retry, so that a mail that waits for its next attempt is counted. */
const RETRY_WITHIN = { minutes: 15 }

/** The age of the oldest unfinished job of a kind whose retries are at most a quarter of an hour apart. */
export const queueAge = async (tx: Tx, name: string): Promise<number> =>
  ageSeconds(tx.now, await sql.oldestUnfinished(tx, name, after(tx.now, RETRY_WITHIN), COUNTED_MAX))
