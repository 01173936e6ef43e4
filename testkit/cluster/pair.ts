// Two real PostgreSQL servers on loopback: a primary and a synchronous standby.
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findBinaries } from '@cowrie/server/src/platform/db/embedded/binaries.ts'
import { clusterPath, ensureCluster, OWNER_ROLE } from '@cowrie/server/src/platform/db/embedded/cluster.ts'
import { assignTree, serverUserFor } from '@cowrie/server/src/platform/db/embedded/server-user.ts'
import {
  type SupervisedProcess,
  startSupervised,
} from '@cowrie/server/src/platform/db/embedded/supervised-process.ts'
import { pause, withTimeout } from '@cowrie/server/src/platform/db/embedded/timeouts.ts'
import { migrate } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { openPool, type Pool } from '@cowrie/server/src/platform/db/pool.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'

const READY_MS = 120_000
const STOP_MS = 60_000
const STANDBY = 'standby1'
/** Without fsync, because a killed server loses nothing: the kernel keeps its writes. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '120',
  io_method: 'sync',
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  synchronous_commit: 'on',
  // Commits wait for the standby. By default it reconnects only five seconds after a restart of the primary.
  wal_retrieve_retry_interval: '200ms',
}

export type Server = {
  readonly url: string
  /** As in pg_ctl: `SIGINT` is -m fast and `SIGQUIT` is -m immediate. `SIGKILL` simulates a crash. */
  stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** With `asStandby` it follows the other server and is read-only. */
  start(asStandby?: boolean): Promise<void>
  sql<T>(work: (sql: Pool) => Promise<T>): Promise<T>
}

export type Pair = {
  readonly primary: Server
  readonly standby: Server
  /** Lists both servers; the service finds the primary. */
  readonly url: string
  close(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const dir = scratchFolder()
  chmodSync(dir, 0o755)
  const user = serverUserFor('/nowhere')
  const binaries = findBinaries(user, () => undefined)
  const hba = join(dir, 'hba.conf')
  writeFileSync(hba, 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n', {
    mode: 0o644,
  })
  const folders = { a: join(dir, 'a'), b: join(dir, 'b') }
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o755 })
  await ensureCluster(folders.a, user, binaries, false)
  const ports = { a: await freePort(), b: await freePort() }

  const serverIn = (mine: 'a' | 'b', other: 'a' | 'b'): Server => {
    const cluster = clusterPath(folders[mine])
    const url = `postgres://${OWNER_ROLE}@127.0.0.1:${ports[mine]}/postgres`
    const settings = {
      ...SETTINGS,
      hba_file: hba,
      port: String(ports[mine]),
      primary_conninfo: `host=127.0.0.1 port=${ports[other]} user=${OWNER_ROLE} application_name=${STANDBY}`,
      primary_slot_name: STANDBY,
    }
    let running: SupervisedProcess | null = null
    const sql: Server['sql'] = async (work) => {
      const connection = openPool(url)
      try {
        return await work(connection)
      } finally {
        await connection.end({ timeout: 1 })
      }
    }
    return {
      url,
      sql,
      async start(asStandby = false) {
        if (asStandby) {
          writeFileSync(join(cluster, 'standby.signal'), '')
          assignTree(user, cluster)
        }
        const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
        const began = startSupervised([binaries.postgres, '-D', cluster, ...words], { user, cwd: cluster })
        running = began
        const endMs = performance.now() + READY_MS
        while (!(await sql((one) => one.rows`select 1`).then(Boolean, () => false))) {
          if (performance.now() > endMs) throw new Error(`the server did not start:\n${began.tail()}`)
          await pause(50)
        }
      },
      async stop(signal) {
        if (!running) return
        process.kill(await running.pid, signal)
        await withTimeout(STOP_MS, running.exited)
        running = null
      },
    }
  }

  const primary = serverIn('a', 'b')
  const standby = serverIn('b', 'a')
  await primary.start()
  await migrate(primary.url)
  await primary.stop('SIGINT')
  // A cold copy: the server is stopped, so its folder is consistent.
  cpSync(clusterPath(folders.a), clusterPath(folders.b), { recursive: true })
  assignTree(user, clusterPath(folders.b))
  chmodSync(clusterPath(folders.b), 0o700)
  await primary.start()
  await primary.sql((sql) => sql.rows`select pg_create_physical_replication_slot(${STANDBY})`)
  await standby.start(true)
  await primary.sql(async (sql) => {
    await sql.unsafe(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await sql.rows`select pg_reload_conf()`
    const isSync = async () =>
      (await sql.rows`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1
    for (const endMs = performance.now() + READY_MS; !(await isSync()); await pause(50))
      if (performance.now() > endMs) throw new Error('the standby does not follow')
  })

  return {
    primary,
    standby,
    url: `postgres://${OWNER_ROLE}@127.0.0.1:${ports.a},127.0.0.1:${ports.b}/postgres?target_session_attrs=primary`,
    async close() {
      // Killed, because the data is no longer needed.
      await Promise.all([primary.stop('SIGKILL'), standby.stop('SIGKILL')])
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** Below the ephemeral range: otherwise an outgoing connection could take the port while the server restarts. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
  throw new Error('no port is free')
}
