// An in-process PostgreSQL with the vector extension and our schema, behind a socket.

import { ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { migrate } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { openDb } from '@cowrie/server/src/platform/db/open-db.ts'
import type { Db } from '@cowrie/server/src/platform/db/tx.ts'
import type { CountedChunk } from '@cowrie/server/src/repo-index/chunking/chunk-task.ts'
import { asBytes, quantize } from '@cowrie/server/src/repo-index/embedding/vectors.ts'
import type { RepoKey } from '@cowrie/server/src/repo-index/repo-key.ts'
import { storeFiles } from '@cowrie/server/src/repo-index/store-files.ts'
import { fillStep, startFill } from '@cowrie/server/src/repo-index/vector-store/fill-vectors.ts'
import type { VectorSpace } from '@cowrie/server/src/repo-index/vector-store/vectors-sql.ts'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { GENEROUS_TIMEOUTS } from '../harness/timeouts.ts'

export type VectorDatabase = {
  readonly db: Db
  readonly clock: ManualClock
  /** Runs as the owner role. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** There is only one connection, so queries wait while a transaction runs. */
export async function openVectorDatabase(statementTimeoutMs = 60_000): Promise<VectorDatabase> {
  const lite = await PGlite.create({ extensions: { vector } })
  const socket = new PGLiteSocketServer({ db: lite, host: '127.0.0.1', port: 0 })
  await socket.start()
  const url = `postgres://postgres:postgres@${socket.getServerConn()}/postgres`
  await migrate(url)
  const clock = new ManualClock()
  // PGlite ignores the role in the connection parameters.
  await lite.exec('set role cowrie_app')
  const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock, max: 1, statementTimeoutMs })
  return {
    db,
    clock,
    query: (text, values) =>
      lite.transaction(async (tx) => {
        await tx.exec('set local role none')
        return (await tx.query<Record<string, unknown>>(text, values)).rows
      }),
    async close() {
      await db.close()
      await socket.stop()
      await lite.close()
    },
  }
}

export const MODEL = 'test-model'

/** Stores a file with one chunk per vector. */
export async function storeVectors(
  db: Db,
  key: RepoKey,
  path: string,
  vectors: readonly Int8Array[],
): Promise<void> {
  const chunks = vectors.map(
    (_, n): CountedChunk => ({
      kind: 'function',
      symbol: `f${n}`,
      scope: '',
      startLine: n + 1,
      endLine: n + 1,
      content: `${path} ${n}`,
      tokens: 3,
      terms: `common 1 word${n % 7} 2`,
      length: 3,
    }),
  )
  const file = { path, content: path, sha256: newId('fil'), chunks }
  const embeddings = Buffer.concat(vectors.map(asBytes))
  await db.tx(key.org, (tx) =>
    storeFiles(tx, key, { model: MODEL, removedIds: [], files: [file], embeddings }),
  )
}

const STEPS_MAX = 10_000

/** Fills all vectors and returns the number of steps. */
export async function fillAll(db: Db, space: VectorSpace, since = 0n): Promise<number> {
  let progress: Awaited<ReturnType<typeof fillStep>> = startFill(space, since)
  let steps = 0
  for (; progress && steps < STEPS_MAX; steps++) progress = await fillStep(db, space.org, progress)
  return steps
}

/** Deterministic vectors in clusters, like those of code. */
export function clusteredVectors(dims: number, clusters: number): () => Int8Array {
  let seed = 42
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32 - 0.5
  }
  const randomVector = () => Array.from({ length: dims }, random)
  const centres = Array.from({ length: clusters }, randomVector)
  return () => {
    const centre = centres[Math.floor((random() + 0.5) * clusters)] ?? []
    return quantize(randomVector().map((value, i) => (centre[i] ?? 0) + value))
  }
}
