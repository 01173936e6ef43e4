// Base backup of a running server, WAL archive, and restore to an instant: the steps of BACKUP.md on this machine.
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPool } from '@cowrie/server/src/platform/db/pool.ts'
import { clusterPath } from '../../server/src/platform/db/embedded/cluster.ts'
import { codeOf } from '../../server/src/platform/db/embedded/processes.ts'
import { assignFolder, assignTree, serverUserFor } from '../../server/src/platform/db/embedded/server-user.ts'

/** Files that are not copied: they belong to the running server, or come from the archive. */
const EXCLUDED =
  /^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_stat_tmp|pg_subtrans)\/.+)$/

/** Server settings for archiving into the folder. An existing file is never overwritten. */
export const archiveSettings = (archive: string): Record<string, string> => ({
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f || cmp -s %p ${archive}/%f`,
  archive_timeout: '60s',
})

/** Creates a folder that the server's operating system user may write to. */
export function createArchiveFolder(path: string, cluster: string): string {
  mkdirSync(path)
  assignFolder(serverUserFor(cluster), path)
  return path
}

/** Copies the cluster while it runs. The archive corrects files that change during the copy. */
export async function takeBaseBackup(url: string, dir: string, to: string): Promise<void> {
  await withPool(url, async (sql) => {
    await sql.rows`select pg_backup_start('drill', fast => true)`
    const cluster = clusterPath(dir)
    copyCluster(cluster, to)
    const [stop] = await sql.rows<{ labelfile: string; spcmapfile: string }>`
      select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => true)`
    writeFileSync(join(to, 'backup_label'), stop?.labelfile ?? '')
    if (stop?.spcmapfile) writeFileSync(join(to, 'tablespace_map'), stop.spcmapfile)
  })
}

/** Skips files that the server removes during the copy: the archive contains the removal. */
function copyCluster(from: string, to: string, below = ''): void {
  mkdirSync(join(to, below), { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(join(from, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (EXCLUDED.test(path)) continue
    if (entry.isDirectory()) copyCluster(from, to, path)
    else if (entry.isFile()) copyIfExists(join(from, path), join(to, path))
  }
}

function copyIfExists(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** The time of the database to the microsecond, in the format that it reads. */
export async function databaseTime(url: string): Promise<string> {
  let instant = ''
  await withPool(url, async (sql) => {
    const [row] = await sql.rows<{ at: string }>`select clock_timestamp()::text as at`
    instant = row?.at ?? ''
  })
  return instant
}

/** Switches to a new WAL file and waits until the previous one is archived. */
export async function archiveAll(url: string, archive: string): Promise<void> {
  await withPool(url, async (sql) => {
    // Without a change since the last switch there is nothing to switch.
    await sql.rows`select pg_logical_emit_message(false, 'drill', 'the last change')`
    const [row] = await sql.rows<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`
    for (let tries = 0; !readdirSync(archive).includes(row?.name ?? ''); tries++) {
      if (tries === 600) throw new Error(`${row?.name} did not reach the archive within a minute`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
}

/** Creates a cluster from the backup that recovers up to the instant when it starts. */
export function restoreTo(instant: string, backup: string, archive: string, dir: string): void {
  mkdirSync(dir, { mode: 0o711 })
  const cluster = clusterPath(dir)
  cpSync(backup, cluster, { recursive: true, verbatimSymlinks: true })
  for (const name of ['pg_wal', 'pg_replslot', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans', 'pg_dynshmem'])
    mkdirSync(join(cluster, name), { recursive: true })
  mkdirSync(join(cluster, 'pg_wal/archive_status'), { recursive: true })
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${instant}'`,
      'recovery_target_inclusive = off',
      "recovery_target_action = 'promote'",
      '',
    ].join('\n'),
  )
  writeFileSync(join(cluster, 'recovery.signal'), '')
  const user = serverUserFor(dir)
  assignTree(user, cluster)
  assignFolder(user, cluster)
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** Simulates the operator error that the restore repairs. */
export const ruinDatabase = (url: string): Promise<void> =>
  withPool(url, async (sql) => {
    await sql.rows`update wallets set balance_minor = 0`
    await sql.rows`drop table invoices cascade`
  })
