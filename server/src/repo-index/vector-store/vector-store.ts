// Prepares the vector tables on first use, if the database supports them.
import { readFile } from 'node:fs/promises'
import type { App } from '../../platform/app.ts'
import * as sql from './vectors-sql.ts'

export type VectorStore = {
  /** Never throws. Without the store, searches use a full scan. */
  isReady(dims: number): Promise<boolean>
  /** Disables the store for a while after an error. */
  disable(error: unknown): void
}

const DEFINITION = new URL('../../../migrations/optional/index_vectors.sql', import.meta.url)
/** Older versions return too few results with a filter. */
const VERSION_MIN = [0, 8] as const
/** The limit of an approximate index. */
const DIMS_MAX = 4_000
const RETRY_MS = 600_000

const stores = new WeakMap<object, VectorStore>()

export function vectorStoreOf(app: Pick<App, 'db' | 'clock' | 'log'>): VectorStore {
  const store = stores.get(app) ?? createVectorStore(app)
  stores.set(app, store)
  return store
}

export function createVectorStore({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): VectorStore {
  const ready = new Map<number, Promise<boolean>>()
  let disabledUntilMs = Number.NEGATIVE_INFINITY
  let loggedReason: string | undefined

  function disable(error: unknown): void {
    disabledUntilMs = clock.now().getTime() + RETRY_MS
    ready.clear()
    const reason = error instanceof Error ? error.message : String(error)
    if (reason === loggedReason) return
    loggedReason = reason
    log.warn({ err: error }, 'repo_index.vector_index.unavailable')
  }

  async function makeReady(dims: number): Promise<boolean> {
    try {
      await prepare(db, dims)
      return true
    } catch (error) {
      disable(error)
      return false
    }
  }

  return {
    disable: disable,
    async isReady(dims) {
      if (dims < 1 || dims > DIMS_MAX || clock.now().getTime() < disabledUntilMs) return false
      const known = ready.get(dims) ?? makeReady(dims)
      ready.set(dims, known)
      return known
    },
  }
}

async function prepare(db: App['db'], dims: number): Promise<void> {
  const definition = await readFile(DEFINITION, 'utf8')
  // Several replicas can run this at once, so the state is read again under a lock.
  await db.tx('platform', async (tx) => {
    await tx.lock('index vectors')
    const { available, installed } = await sql.readExtension(tx)
    if (!available) throw new Error('the database server does not provide the extension vector')
    await sql.switchToOwnerRole(tx)
    if (installed === null) await sql.createExtension(tx)
    requireVersion((await sql.readExtension(tx)).installed)
    await sql.createTables(tx, definition)
    await sql.createApproximateIndex(tx, dims)
  })
}

function requireVersion(installed: string | null): void {
  const [major = 0, minor = 0] = (installed ?? '').split('.').map(Number)
  const [majorMin, minorMin] = VERSION_MIN
  if (major < majorMin || (major === majorMin && minor < minorMin))
    throw new Error(
      `the extension vector has version ${installed}; at least ${VERSION_MIN.join('.')} is required`,
    )
}
