// The PostgreSQL that comes along: started in a folder, healed when it dies, and never left behind.
import { mkdirSync, realpathSync } from 'node:fs'
import { findBinaries } from './binaries.ts'
import { clusterPath, ensureCluster, OWNER_ROLE } from './cluster.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { launch, type Postmaster, type ServerFolder } from './postmaster.ts'
import { serverUserFor } from './server-user.ts'
import { PORT, removeSocketFolder, socketFolder } from './socket-folder.ts'
import { pause } from './timeouts.ts'

export type EmbeddedServer = {
  /** The same for the whole life, also when the server had to be brought back. */
  readonly url: string
  /** The server process of this moment. */
  readonly pid: number
  /** Ends the server and gives the folder free. May be called again. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The cluster lives in this folder, which is created when absent. */
  dir: string
  log: (line: string) => void
  /** Further PostgreSQL settings, such as `{ fsync: 'off' }` in tests. */
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
  // Everybody may enter but not look around: the server's user must reach the cluster, which is closed itself.
  mkdirSync(options.dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const dir = realpathSync(options.dir)
  const ownership = lockFolder(dir)
  try {
    const user = serverUserFor(clusterPath(dir))
    const binaries = findBinaries(user, log)
    await ensureCluster(dir, user, binaries, settings.fsync !== 'off')
    const place: ServerFolder = { dir, user, binaries, socketDir: socketFolder(dir, user), settings, log }
    return supervise(place, await launch(place), ownership, options)
  } catch (error) {
    ownership.release()
    throw error
  }
}

/** Restarts the server whenever it dies, until it is stopped. Restarts never end, but their rate is bounded. */
function supervise(
  place: ServerFolder,
  first: Postmaster,
  ownership: FolderLock,
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
      place.log(`the database server (pid ${current.pid}) ${end}`)
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
        current = await launch(place, () => stopped !== undefined)
        place.log(`the database server is back (pid ${current.pid})`)
        return watch(failures + 1)
      } catch (error) {
        if (stopped) return
        const reason = error instanceof Error ? error.message : String(error)
        onDown?.(`the embedded database is down: ${reason}`, delayMs(failures + 1))
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
    removeSocketFolder(place.dir, place.socketDir)
    ownership.release()
  }

  watch(0)
  return {
    url: `postgres://${OWNER_ROLE}@localhost:${PORT}/postgres?host=${encodeURIComponent(place.socketDir)}`,
    get pid() {
      return current.pid
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
