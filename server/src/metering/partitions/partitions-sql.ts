// SQL of monthly partitions. The functions that change them are in server/sql/functions/partitions.sql.
import { before } from '../../kernel/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type MonthlyTable = 'request_log'
/** `starts` is null for the first partition, which has all rows before its end. */
export type Partition = { name: string; starts: Date | null; ends: Date }

/** Oldest first. */
export const listPartitions = (tx: Tx, table: MonthlyTable): Promise<Partition[]> =>
  tx.rows<Partition>`
    select name, nullif(starts, '-infinity') as starts, ends from month_partitions(${table}) order by ends`

/** Creates the partitions of this month and the next ones. Returns the names of the new ones. */
export async function createPartitions(tx: Tx, table: MonthlyTable, ahead: number): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>`
    select name from create_month_partitions(${table}, ${tx.now}, ${ahead}) name`
  return rows.map(({ name }) => name)
}

/** Detaches the oldest partition whose rows are all older than these days, by the clocks of this process and of the database. */
export const detachPartition = (
  tx: Tx,
  table: MonthlyTable,
  days: number,
): Promise<Pick<Partition, 'name' | 'ends'> | undefined> =>
  tx.maybe<Pick<Partition, 'name' | 'ends'>>`
    select name, ends from detach_month_partition(${table},
      least(${before(tx.now, { days })}, now() - make_interval(days => ${days})))`

export async function listDetached(tx: Tx, table: MonthlyTable): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>`select name from detached_partitions(${table}) name`
  return rows.map(({ name }) => name)
}

export async function dropDetached(tx: Tx, table: MonthlyTable, name: string): Promise<void> {
  await tx.rows`select drop_detached_partition(${table}, ${name})`
}

/** The oldest row without a partition of its month. Null when there is none, as there should be. */
export async function oldestRow(tx: Tx, table: MonthlyTable): Promise<Date | null> {
  return (await tx.one<{ at: Date | null }>`select oldest_rest_row(${table}) as at`).at
}
