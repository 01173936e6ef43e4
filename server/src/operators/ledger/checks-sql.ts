// SQL of the results of the ledger checks, and of the reports of backups.
import type { Tx } from '../../platform/db/tx.ts'

export type CheckOutcome = { readonly name: string; readonly violations: bigint }

export async function saveResults(tx: Tx, results: readonly CheckOutcome[]): Promise<void> {
  await tx.rows`
    insert into ledger_checks (name, violations, checked_at)
    select name, violations, ${tx.now} from unnest(
      ${results.map(({ name }) => name)}::text[], ${results.map(({ violations }) => violations)}::bigint[])
      as result (name, violations)
    on conflict (name) do update set violations = excluded.violations, checked_at = excluded.checked_at`
}

/** Where the check of the hashes continues; undefined for the start. */
export async function findPosition(tx: Tx): Promise<string | undefined> {
  const row = await tx.maybe<{ position: string }>`
    select position from ledger_checks where position is not null limit 1`
  return row?.position
}

export async function savePosition(tx: Tx, name: string, position: string | null): Promise<void> {
  await tx.rows`update ledger_checks set position = ${position} where name = ${name}`
}

export function listResults(tx: Tx): Promise<(CheckOutcome & { checkedAt: Date })[]> {
  return tx.rows<CheckOutcome & { checkedAt: Date }>`
    select name, violations, checked_at as "checkedAt" from ledger_checks order by name`
}

export function listBackups(tx: Tx): Promise<{ kind: string; succeededAt: Date }[]> {
  return tx.rows<{ kind: string; succeededAt: Date }>`
    select kind, succeeded_at as "succeededAt" from backup_reports order by kind`
}

export type Archive = { archivedAt: Date | null; failedAt: Date | null }

/** The state of the WAL archive; undefined where the server keeps none. */
export function findArchive(tx: Tx): Promise<Archive | undefined> {
  return tx.maybe<Archive>`
    select last_archived_time as "archivedAt", last_failed_time as "failedAt" from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'`
}
