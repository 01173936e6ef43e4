// A base backup of a running server, its archive of changes, and a restore to an instant: the steps of BACKUP.md on this machine.
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPool } from '@cowrie/server/src/platform/db/pool.ts'
import { clusterPath } from '../../server/src/platform/db/embedded/cluster.ts'
import { codeOf } from '../../server/src/platform/db/embedded/processes.ts'
import { assignFolder, assignTree, serverUserFor } from '../../server/src/platform/db/embedded/server-user.ts'

/** What of a cluster is not copied: it belongs to the running server, or comes from the archive. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_stat_tmp|pg_subtrans)\/.+)$/

/** Settings with which a server archives into the folder; a file that is there is never written over. */
export const archiving = (archive: string): Record<string, string> => ({
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f || cmp -s %p ${archive}/%f`,
  archive_timeout: '60s',
})

/** A folder that the server may write to, whoever it runs as. */
export function archiveFolder(path: string, cluster: string): string {
  mkdirSync(path)
  assignFolder(serverUserFor(cluster), path)
  return path
}

/** Copies the cluster while it works. What changes meanwhile is put right from the archive. */
export async function baseBackup(url: string, dir: string, to: string): Promise<void> {
  await withPool(url, async (sql) => {
    await sql.rows`select pg_backup_start('drill', fast => true)`
    const cluster = clusterPath(dir)
    copyWhatStays(cluster, to)
    const [stop] = await sql.rows<{ labelfile: string; spcmapfile: string }>`
      select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => true)`
    writeFileSync(join(to, 'backup_label'), stop?.labelfile ?? '')
    if (stop?.spcmapfile) writeFileSync(join(to, 'tablespace_map'), stop.spcmapfile)
  })
}

/** A file that the server removes meanwhile is no loss: what it has to be told of that is in the archive. */
function copyWhatStays(from: string, to: string, below = ''): void {
  mkdirSync(join(to, below), { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(join(from, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (LEFT_OUT.test(path)) continue
    if (entry.isDirectory()) copyWhatStays(from, to, path)
    else if (entry.isFile()) copyIfThere(join(from, path), join(to, path))
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** The time of the database, to the microsecond and as it reads it itself. */
export async function markInstant(url: string): Promise<string> {
  let instant = ''
  await withPool(url, async (sql) => {
    const [row] = await sql.rows<{ at: string }>`select clock_timestamp()::text as at`
    instant = row?.at ?? ''
  })
  return instant
}

/** Ends the current file of changes, and waits until it is in the archive. */
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

/** Makes a cluster of the backup that, when it is started, goes on to the instant and no further. */
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

export const forget = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** What nobody should ever do to a database. */
export const accident = (url: string): Promise<void> =>
  withPool(url, async (sql) => {
    await sql.rows`update wallets set balance_minor = 0`
    await sql.rows`drop table invoices cascade`
  })
