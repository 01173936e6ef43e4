// The embedded PostgreSQL server: started in a folder, restarted when it dies, and stopped with this process.
import { mkdirSync, realpathSync } from 'node:fs'
import { findBinaries } from './binaries.ts'
import { clusterPath, ensureCluster, OWNER_ROLE } from './cluster.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { launch, type Postmaster, type ServerFolder } from './postmaster.ts'
import { serverUserFor } from './server-user.ts'
import { PORT, removeSocketFolder, socketFolder } from './socket-folder.ts'
import { pause } from './timeouts.ts'

export type EmbeddedServer = {
  /** Stays the same when the server is restarted. */
  readonly url: string
  /** The current server process. */
  readonly pid: number
  /** Stops the server and releases the folder. May be called again. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The folder of the cluster. It is created when absent. */
  dir: string
  log: (line: string) => void
  /** Additional PostgreSQL settings, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>
  /** Called after each failed restart; the next attempt follows after `retryMs`. */
  onDown?: (reason: string, retryMs: number) => void
  /** Bounds of the wait between restarts, for tests. */
  backoff?: Backoff
}

type Backoff = { readonly firstMs: number; readonly maxMs: number }

const BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000 }
/** A server that ran this long resets the backoff. */
const STABLE_MS = 60_000

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, settings = {} } = options
  // As root, other users may traverse but not list the folder: the user of the server must reach the cluster, which is 0700.
  mkdirSync(options.dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const dir = realpathSync(options.dir)
  const lock = lockFolder(dir)
  try {
    const user = serverUserFor(clusterPath(dir))
    const binaries = findBinaries(user, log)
    await ensureCluster(dir, user, binaries, settings.fsync !== 'off')
    const folder: ServerFolder = { dir, user, binaries, socketDir: socketFolder(dir, user), settings, log }
    return supervise(folder, await launch(folder), lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Restarts the server whenever it dies, until it is stopped. Restarts continue indefinitely with a bounded rate. */
function supervise(
  folder: ServerFolder,
  first: Postmaster,
  lock: FolderLock,
  { onDown, backoff = BACKOFF }: EmbeddedOptions,
): EmbeddedServer {
  let current = first
  let stopped: Promise<void> | undefined
  let restarting = Promise.resolve()
  const stopping = new AbortController()

  const watch = (failuresBefore: number): void => {
    const startedMs = performance.now()
    void current.exited.then((end) => {
      if (stopped) return
      folder.log(`The database server (pid ${current.pid}) ${end}.`)
      restarting = restart(performance.now() - startedMs > STABLE_MS ? 0 : failuresBefore)
    })
  }

  /** The first restart is immediate; each further death or failed restart doubles the wait. */
  const restart = async (failuresBefore: number): Promise<void> => {
    for (let failures = failuresBefore; !stopped; failures++) {
      if (failures > 0) await wait(delayMs(failures))
      if (stopped) return
      try {
        await current.stop()
        current = await launch(folder, () => stopped !== undefined)
        folder.log(`The database server was restarted (pid ${current.pid}).`)
        return watch(failures + 1)
      } catch (error) {
        if (stopped) return
        const reason = error instanceof Error ? error.message : String(error)
        onDown?.(`The embedded database is down: ${reason}`, delayMs(failures + 1))
      }
    }
  }

  const delayMs = (failures: number): number => Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.maxMs)
  const wait = (ms: number): Promise<unknown> =>
    pause(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)

  const stop = async (): Promise<void> => {
    stopping.abort()
    await restarting
    await current.stop()
    removeSocketFolder(folder.dir, folder.socketDir)
    lock.release()
  }

  watch(0)
  return {
    url: `postgres://${OWNER_ROLE}@localhost:${PORT}/postgres?host=${encodeURIComponent(folder.socketDir)}`,
    get pid() {
      return current.pid
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
