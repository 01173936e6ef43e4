// Whether this server can keep vectors in the database, and the tables for them, made when they are first needed.
import { readFile } from 'node:fs/promises'
import type { App } from '../../platform/app.ts'
import * as sql from './vectors-sql.ts'

export type VectorStore = {
  /** Never throws: where it cannot be had there is the exact way. */
  isReady(dims: number): Promise<boolean>
  /** After it has failed: the exact way for a while. */
  disable(error: unknown): void
}

const DEFINITION = new URL('../../../migrations/optional/index_vectors.sql', import.meta.url)
/** Older ones return too few where they search for one of many. */
const VERSION_MIN = [0, 8] as const
/** What an approximate index can have. */
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
  let distrustedUntilMs = Number.NEGATIVE_INFINITY
  let said: string | undefined

  function distrust(error: unknown): void {
    distrustedUntilMs = clock.now().getTime() + RETRY_MS
    ready.clear()
    const reason = error instanceof Error ? error.message : String(error)
    if (reason === said) return
    said = reason
    log.warn({ err: error }, 'repo_index.vector_index.unavailable')
  }

  async function makeReady(dims: number): Promise<boolean> {
    try {
      await prepare(db, dims)
      return true
    } catch (error) {
      distrust(error)
      return false
    }
  }

  return {
    disable: distrust,
    async isReady(dims) {
      if (dims < 1 || dims > DIMS_MAX || clock.now().getTime() < distrustedUntilMs) return false
      const known = ready.get(dims) ?? makeReady(dims)
      ready.set(dims, known)
      return known
    },
  }
}

async function prepare(db: App['db'], dims: number): Promise<void> {
  const definition = await readFile(DEFINITION, 'utf8')
  // It is locked and looked at again: several replicas come here at once.
  await db.tx('platform', async (tx) => {
    await tx.lock('index vectors')
    const { available, installed } = await sql.readExtension(tx)
    if (!available) throw new Error('the database server does not have the extension vector')
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
      `the extension vector is ${installed}; ${VERSION_MIN.join('.')} is the oldest that will do`,
    )
}
