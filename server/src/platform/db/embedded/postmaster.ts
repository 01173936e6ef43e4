// The server process: brought up on a cluster that may have been left in any state, and taken down again.
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
  /** How it ended, in words. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

/** Replaying the log after a crash takes as long as the disk needs; `max_wal_size` keeps it far below this. */
const READY_MS_MAX = 120_000
const ATTEMPTS_MAX = 6
/** A little more than the guard waits before SIGQUIT. */
const STOP_MS_MAX = 6_000

/**
 * Starts the server and resolves when it takes connections. Tries again for a few seconds, because remains of the
 * last server may be in the way; gives up early when `isOff` says that nobody wants it any more.
 */
export async function launch(place: ServerFolder, isOff: () => boolean = () => false): Promise<Postmaster> {
  let complaint = ''
  for (let attempt = 0; attempt < ATTEMPTS_MAX && !isOff(); attempt++) {
    if (attempt > 0) await pause(50 * 2 ** attempt)
    await stopStaleServer(clusterPath(place.dir), place.log)
    const guarded = start(place)
    const pid = await readyPid(guarded, clusterPath(place.dir), isOff)
    if (pid !== undefined) return { pid, exited: guarded.exited, stop: () => stop(guarded, place) }
    guarded.terminate()
    complaint = `${(await withTimeout(STOP_MS_MAX, guarded.exited)) ?? 'did not become ready'}:\n${guarded.tail()}`
    if (isHopeless(complaint)) break
  }
  throw new Error(
    `the embedded database in ${place.dir} did not start; its server ${complaint || 'is not wanted any more'}`,
  )
}

function start(place: ServerFolder): SupervisedProcess {
  const cluster = clusterPath(place.dir)
  return startSupervised(
    [place.binaries.postgres, '-D', clusterPathFor(place.user, cluster), ...argumentsFor(place)],
    {
      user: place.user,
      cwd: cluster,
      heard: (line) => isNews(line) && place.log(`postgres: ${line.slice(0, 500)}`),
    },
  )
}

/** The pid once the server says that it is ready; undefined when it ended before or is not wanted. */
async function readyPid(
  guarded: SupervisedProcess,
  cluster: string,
  isOff: () => boolean,
): Promise<number | undefined> {
  let ended = false
  const exited = guarded.exited.then(() => {
    ended = true
    return undefined
  })
  const pid = await withTimeout(READY_MS_MAX, Promise.race([guarded.pid, exited]))
  if (pid === undefined) return undefined
  await pollUntil(READY_MS_MAX, () => ended || isOff() || isReady(cluster, pid))
  return !ended && isReady(cluster, pid) ? pid : undefined
}

/** The eighth line of its pid file is where the server says how far it is; PostgreSQL's own tools read it there too. */
function isReady(cluster: string, pid: number): boolean {
  const lines = readPidFile(cluster)?.split('\n')
  return lines !== undefined && Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function stop(guarded: SupervisedProcess, place: ServerFolder): Promise<void> {
  guarded.terminate()
  await withTimeout(STOP_MS_MAX, guarded.exited)
  // Nothing is left, unless the guard itself was killed.
  await stopStaleServer(clusterPath(place.dir), place.log)
}

/** What no second attempt would change. */
const isHopeless = (complaint: string): boolean =>
  /unrecognized configuration parameter|invalid value for parameter|incompatible with server|could not be started/.test(
    complaint,
  )

/** What an operator wants to hear of the server's own log: not the farewell to each client, nor its being told to wait. */
const isNews = (line: string): boolean =>
  /\b(FATAL|PANIC): |terminated by signal/.test(line) &&
  !/FATAL: +(the database system is|terminating )/.test(line)

const DEFAULTS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '120',
  shared_buffers: '64MB',
  // Bounds how much a start after a crash has to replay.
  max_wal_size: '256MB',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are the caller's business, and their text may hold customers' data.
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
    // A list of folders, so one with a comma in its name must be quoted.
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
