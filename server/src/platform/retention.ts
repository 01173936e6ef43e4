// Retention: rows that are older than their table keeps them are deleted in batches, and a figure shows when that falls behind.
import type { App } from './app.ts'
import type { Tx } from './db/tx.ts'
import { enqueue } from './jobs/jobs.ts'
import { ageSeconds, type FigureSource } from './log/figures.ts'
import type { Settings } from './settings/settings.ts'

export type RetainedTable = {
  readonly table: string
  /** The days for which it keeps a row. */
  keptDays(settings: Pick<Settings, 'get'>): number
  /** Of the rows that end by age. Uses an index. */
  oldest(tx: Tx): Promise<Date | null>
}

export type Batches = { readonly size: number; readonly most: number }

/**
 * Repeats a deletion of at most `size` rows. When rows are left after `most` batches, the job is enqueued again at once, so that
 * deleting keeps up with any number of writes, and no run takes long.
 */
export async function deleteInBatches(
  app: App,
  job: string,
  { size, most }: Batches,
  work: (tx: Tx) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < most; batch++) if ((await app.db.tx('platform', work)) < size) return
  await continueLater(app, job)
}

export const continueLater = (app: App, job: string): Promise<void> =>
  app.db.tx('platform', (tx) => enqueue(tx, job, {}, { key: 'rest' }))

const DAY_SECONDS = 86_400

export const retentionFigures = (
  tables: readonly RetainedTable[],
  settings: Pick<Settings, 'get'>,
): FigureSource => ({
  name: 'retention',
  metrics: {
    retention_overdue_seconds:
      'For how much longer than its retention a table has stored its oldest row. Deletions run every hour or every day.',
  },
  async read(tx) {
    const overdue: [string, number, { table: string }][] = []
    for (const { table, keptDays, oldest } of tables) {
      const age = ageSeconds(tx.now, await oldest(tx))
      overdue.push([
        'retention_overdue_seconds',
        Math.max(0, age - keptDays(settings) * DAY_SECONDS),
        { table },
      ])
    }
    return overdue
  },
})
