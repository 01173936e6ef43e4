// Starts and stops the server process. The cluster may be in any state that a crash can leave.
import type { Binaries } from './binaries.ts'
import { clusterPath, clusterPathFor } from './cluster.ts'
import type { ServerUser } from './server-user.ts'
import { PORT } from './socket-folder.ts'
import { readPidFile, stopStaleServer } from './stale-server.ts'
import { type SupervisedProcess, startSupervised } from './supervised-process.ts'
import { pause, pollUntil, withTimeout } from './timeouts.ts'

export type ServerFolder = {
  readonly dir: string
  readonly user: ServerUser
  readonly binaries: Binaries
  readonly socketDir: string
  readonly settings: Record<string, string>
  readonly log: (line: string) => void
}

export type Postmaster = {
  readonly pid: number
  /** Describes how it ended. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

/** Crash recovery replays the WAL. `max_wal_size` keeps that far below this limit. */
const READY_MS_MAX = 120_000
const ATTEMPTS_MAX = 6
/** Slightly longer than the supervising shell waits before SIGQUIT. */
const STOP_MS_MAX = 6_000

/**
 * Starts the server and resolves when it accepts connections. Retries for a few seconds, because processes of the previous
 * server may still be ending. Stops early when `isCancelled` returns true.
 */
export async function launch(
  folder: ServerFolder,
  isCancelled: () => boolean = () => false,
): Promise<Postmaster> {
  let failure = ''
  for (let attempt = 0; attempt < ATTEMPTS_MAX && !isCancelled(); attempt++) {
    if (attempt > 0) await pause(50 * 2 ** attempt)
    await stopStaleServer(clusterPath(folder.dir), folder.log)
    const server = start(folder)
    const pid = await readyPid(server, clusterPath(folder.dir), isCancelled)
    if (pid !== undefined) return { pid, exited: server.exited, stop: () => stop(server, folder) }
    server.terminate()
    failure = `${(await withTimeout(STOP_MS_MAX, server.exited)) ?? 'did not become ready'}:\n${server.tail()}`
    if (isPermanent(failure)) break
  }
  throw new Error(
    `The embedded database in ${folder.dir} did not start: its server ${failure || 'was cancelled'}`,
  )
}

function start(folder: ServerFolder): SupervisedProcess {
  const cluster = clusterPath(folder.dir)
  return startSupervised(
    [folder.binaries.postgres, '-D', clusterPathFor(folder.user, cluster), ...argumentsFor(folder)],
    {
      user: folder.user,
      cwd: cluster,
      onLine: (line) => isWorthLogging(line) && folder.log(`postgres: ${line.slice(0, 500)}`),
    },
  )
}

/** The pid once the server is ready; undefined when it ended before or the start was cancelled. */
async function readyPid(
  server: SupervisedProcess,
  cluster: string,
  isCancelled: () => boolean,
): Promise<number | undefined> {
  let ended = false
  const exited = server.exited.then(() => {
    ended = true
    return undefined
  })
  const pid = await withTimeout(READY_MS_MAX, Promise.race([server.pid, exited]))
  if (pid === undefined) return undefined
  await pollUntil(READY_MS_MAX, () => ended || isCancelled() || isReady(cluster, pid))
  return !ended && isReady(cluster, pid) ? pid : undefined
}

/** The eighth line of the pid file has the status of the server. pg_ctl reads it there too. */
function isReady(cluster: string, pid: number): boolean {
  const lines = readPidFile(cluster)?.split('\n')
  return lines !== undefined && Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function stop(server: SupervisedProcess, folder: ServerFolder): Promise<void> {
  server.terminate()
  await withTimeout(STOP_MS_MAX, server.exited)
  // Finds something only when the supervising shell itself was killed.
  await stopStaleServer(clusterPath(folder.dir), folder.log)
}

/** Whether another attempt would fail in the same way. */
const isPermanent = (failure: string): boolean =>
  /unrecognized configuration parameter|invalid value for parameter|incompatible with server|could not be started/.test(
    failure,
  )

/** Lines of the server log for the operator: errors, without rejected or terminated client connections. */
const isWorthLogging = (line: string): boolean =>
  /\b(FATAL|PANIC): |terminated by signal/.test(line) &&
  !/FATAL: +(the database system is|terminating )/.test(line)

/** Durable, small, and reachable through its private socket only. */
const DEFAULTS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '120',
  shared_buffers: '64MB',
  // Bounds the WAL to replay after a crash.
  max_wal_size: '256MB',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are reported to the caller, and their text may have customer data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

function argumentsFor({
  socketDir,
  settings,
}: {
  socketDir: string
  settings: Record<string, string>
}): string[] {
  const fixed = {
    listen_addresses: '',
    port: String(PORT),
    // The setting is a list, so a folder with a comma in its name must be quoted.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return Object.entries({ ...DEFAULTS, ...settings, ...fixed }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}
