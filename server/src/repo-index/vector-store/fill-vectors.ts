// Copies vectors of an index into the table with the approximate index, in small steps, after each change.
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import type { ChunkRef } from '../search/read-sql.ts'
import { type EmbeddedChunk, listEmbeddedAfter, lockVersion } from './content-sql.ts'
import { vectorStoreOf } from './vector-store.ts'
import * as sql from './vectors-sql.ts'

/** The progress of one pass over the files that changed after `since`. Versions are strings, because JSON has no bigint. */
export type FillProgress = {
  readonly model: string
  readonly dims: number
  readonly since: string
  /** The version at the start of the pass; null before its first step. */
  readonly through: string | null
  readonly after: ChunkRef
}

/** A step blocks changes of the index, so it is small. */
const CHUNKS_PER_STEP = 200
const STEPS_PER_JOB = 100

export const fillVectors = job<FillProgress>('index.fillVectors', {
  perOrg: 1,
  slow: true,
  timeoutMs: 300_000,
  async run(app, { payload, org, signal }) {
    if (org === null || !(await vectorStoreOf(app).isReady(payload.dims))) return
    let progress: FillProgress | null = payload
    for (let step = 0; step < STEPS_PER_JOB && progress; step++) {
      signal.throwIfAborted()
      progress = await fillStep(app.db, org, progress)
    }
    const remaining = progress
    if (remaining) await app.db.tx(org, (tx) => enqueueFill(tx, org, remaining))
  },
})

/** One queued job per model is enough. If it does not cover everything, the next search enqueues another. */
export const enqueueFill = (tx: Tx, org: OrgId, progress: FillProgress): Promise<void> =>
  enqueue(tx, fillVectors.name, progress, { org, key: progress.model })

export const startFill = ({ model, dims }: sql.VectorSpace, since: bigint): FillProgress => ({
  model,
  dims,
  since: String(since),
  through: null,
  after: { fileId: '', ord: -1 },
})

/** Returns the remaining work, or null when the pass is complete. */
export function fillStep(
  db: Pick<Db, 'tx' | 'batchScope'>,
  org: OrgId,
  progress: FillProgress,
): Promise<FillProgress | null> {
  const { model, dims, after } = progress
  return db.tx(org, async (tx) => {
    const version = await lockVersion(tx, org)
    // The placement is known for certain only after the first content query.
    if (version === undefined || db.batchScope(org) !== 'platform') return null
    const [since, through] = [BigInt(progress.since), BigInt(progress.through ?? version)]
    const space = { org, model, dims }
    const chunks = await listEmbeddedAfter(tx, org, since, after, CHUNKS_PER_STEP)
    const last = chunks.at(-1)
    if (!last) {
      await sql.recordFilled(tx, space, since, through)
      return null
    }
    const usable = chunks.filter((chunk) => chunk.model === model && chunk.embedding.length === dims)
    if (usable.length > 0) await sql.insertVectors(tx, space, usable.map(toVectorRow))
    return { ...progress, through: String(through), after: { fileId: last.fileId, ord: last.ord } }
  })
}

const toVectorRow = ({ fileId, ord, repo, embedding }: EmbeddedChunk): sql.VectorRow => ({
  fileId,
  ord,
  repo,
  direction: new Int8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength),
})
