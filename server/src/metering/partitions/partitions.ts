// Monthly partitions of the request log. Months are created ahead, and dropped when all of their rows are older than the setting.
import { record } from '../../audit/audit.ts'
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { ageSeconds, type Figure, type FigureSource } from '../../platform/log/figures.ts'
import { requestLogSettings } from '../requests/settings.ts'
import * as sql from './partitions-sql.ts'

const { usage_log_days } = requestLogSettings.settings
const MAINTAIN = 'metering.maintainPartitions'
const TABLE: sql.MonthlyTable = 'request_log'
const MONTHS_AHEAD = 3
/** More than the months of the longest retention. */
const DROPS_MAX = 24

export const maintainPartitions = job(MAINTAIN, {
  async run(app, { signal }) {
    await createAhead(app)
    await dropOld(app, signal)
  },
})

export const maintainPartitionsSchedule: Schedule = { name: MAINTAIN, job: MAINTAIN, everySeconds: 3_600 }

/** At the start of the service, which works without them: rows of a month without a partition go to the default partition. */
export async function prepareMonths(app: App): Promise<void> {
  try {
    await createAhead(app)
  } catch (error) {
    app.log.error({ err: error, table: TABLE }, 'metering.partitions.create_failed')
  }
}

async function createAhead(app: App): Promise<void> {
  const created = await app.db.tx('platform', (tx) => sql.createPartitions(tx, TABLE, MONTHS_AHEAD))
  if (created.length > 0) app.log.info({ table: TABLE, partitions: created }, 'metering.partitions.created')
}

/** Each step is one transaction. A partition that was detached and not dropped is dropped by the next run. */
async function dropOld(app: App, signal: AbortSignal): Promise<void> {
  for (let drops = 0; drops < DROPS_MAX && (await detachOne(app)); drops++) signal.throwIfAborted()
  for (const name of await app.db.tx('platform', (tx) => sql.listDetached(tx, TABLE))) {
    signal.throwIfAborted()
    await app.db.tx('platform', (tx) => sql.dropDetached(tx, TABLE, name))
    app.log.info({ table: TABLE, partition: name }, 'metering.partitions.dropped')
  }
}

const detachOne = (app: App): Promise<boolean> =>
  app.db.tx('platform', async (tx) => {
    const days = app.settings.get(usage_log_days)
    const found = await sql.detachPartition(tx, TABLE, days)
    if (!found) return false
    const { name, ends } = found
    const metadata = { table: TABLE, rowsBefore: ends, days }
    await record(tx, {
      orgId: null,
      actor: { kind: 'system' },
      action: 'metering.partitions.drop',
      target: name,
      metadata,
    })
    return true
  })

export const partitionFigures: FigureSource = {
  name: 'partitions',
  metrics: {
    partitions: 'Monthly partitions of a table, by state: attached, or detached and to be dropped.',
    partition_ahead_seconds: 'Time until the last partition of the table ends.',
    partition_rest_age_seconds:
      'Age of the oldest row without a partition of its month. It is in the default partition; 0 when there is none.',
  },
  async read(tx) {
    const attached = await sql.listPartitions(tx, TABLE)
    const detached = await sql.listDetached(tx, TABLE)
    const rest = await sql.oldestRow(tx, TABLE)
    const ahead = Math.max(0, ...attached.map(({ ends }) => (ends.getTime() - tx.now.getTime()) / 1_000))
    const table = { table: TABLE }
    return [
      ['partitions', attached.length, { ...table, state: 'attached' }],
      ['partitions', detached.length, { ...table, state: 'detached' }],
      ['partition_ahead_seconds', ahead, table],
      // A row with a time in the future counts too.
      ['partition_rest_age_seconds', rest === null ? 0 : Math.max(1, ageSeconds(tx.now, rest)), table],
    ] satisfies Figure[]
  },
}
