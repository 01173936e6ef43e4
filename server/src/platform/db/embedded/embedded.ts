// The PostgreSQL that comes along: started in a folder, healed when it dies, and never left behind.
import { mkdirSync, realpathSync } from 'node:fs'
import { findBinaries } from './binaries.ts'
import { clusterIn, ensureCluster, OWNER_ROLE } from './cluster.ts'
import { type Ownership, own } from './owner.ts'
import { launch, type Place, type Postmaster } from './postmaster.ts'
import { serverUserFor } from './server-user.ts'
import { leaveSocketFolder, PORT, socketFolder } from './socket-folder.ts'
import { pause } from './waiting.ts'

export type Embedded = {
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
  /** Told when the server died and could not be brought back. */
  onExit?: (reason: string) => void
}

/** Deaths in a row that are healed; a server that lived a while starts the count anew. */
const DEATHS_MAX = 5
const LIVED_A_WHILE_MS = 60_000

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, settings = {} } = options
  // Everybody may enter but not look around: the server's user must reach the cluster, which is closed itself.
  mkdirSync(options.dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const dir = realpathSync(options.dir)
  const ownership = own(dir)
  try {
    const user = serverUserFor(clusterIn(dir))
    const binaries = findBinaries(user, log)
    await ensureCluster(dir, user, binaries, settings.fsync !== 'off')
    const place: Place = { dir, user, binaries, socketDir: socketFolder(dir, user), settings, log }
    return supervise(place, await launch(place), ownership, options.onExit)
  } catch (error) {
    ownership.release()
    throw error
  }
}

/** Brings the server back when it dies, until it is stopped or dies too often. */
function supervise(
  place: Place,
  first: Postmaster,
  ownership: Ownership,
  onExit?: (reason: string) => void,
): Embedded {
  let current = first
  let stopped: Promise<void> | undefined
  let healing = Promise.resolve()

  const watch = (deathsBefore: number): void => {
    const bornMs = performance.now()
    void current.exited.then((end) => {
      const livedAWhile = performance.now() - bornMs > LIVED_A_WHILE_MS
      if (!stopped) healing = heal(end, livedAWhile ? 1 : deathsBefore + 1)
    })
  }

  const heal = async (end: string, deaths: number): Promise<void> => {
    place.log(`the database server (pid ${current.pid}) ${end}`)
    try {
      if (deaths > DEATHS_MAX) throw new Error(`it died ${deaths} times in a row`)
      // The first death is healed at once; further ones wait longer each time.
      if (deaths > 1) await pause(100 * 2 ** deaths, undefined, { ref: false })
      if (stopped) return
      await current.stop()
      current = await launch(place, () => stopped !== undefined)
      place.log(`the database server is back (pid ${current.pid})`)
      watch(deaths)
    } catch (error) {
      if (stopped) return
      const reason = `the embedded database is down: ${error instanceof Error ? error.message : String(error)}`
      place.log(reason)
      onExit?.(reason)
    }
  }

  const stop = async (): Promise<void> => {
    await healing
    await current.stop()
    leaveSocketFolder(place.dir, place.socketDir)
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
