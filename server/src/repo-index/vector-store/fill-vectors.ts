// Brings the vectors of an index into the database, where an approximate index finds them: in small steps, and as often as it changes.
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import type { ChunkRef } from '../search/read-sql.ts'
import { type EmbeddedChunk, listEmbeddedAfter, lockVersion } from './content-sql.ts'
import { vectorStoreOf } from './vector-store.ts'
import * as sql from './vectors-sql.ts'

/** One pass over all files that came after `since`. Numbers of changes as texts, because a payload has no others so large. */
export type FillProgress = {
  readonly model: string
  readonly dims: number
  readonly since: string
  /** The change that the pass began after; null before its first step. */
  readonly through: string | null
  readonly after: ChunkRef
}

/** Who changes the index waits while a step lasts. */
const CHUNKS_PER_STEP = 200
const STEPS_PER_JOB = 100

export const fillVectors = job<FillProgress>('index.fillVectors', {
  perOrg: 1,
  slow: true,
  timeoutMs: 300_000,
  async run(app, { payload, org, signal }) {
    if (org === null || !(await vectorStoreOf(app).isReady(payload.dims))) return
    let filling: FillProgress | null = payload
    for (let step = 0; step < STEPS_PER_JOB && filling; step++) {
      signal.throwIfAborted()
      filling = await fillStep(app.db, org, filling)
    }
    const rest = filling
    if (rest) await app.db.tx(org, (tx) => enqueueFill(tx, org, rest))
  },
})

/** One that waits already, from wherever it goes on, is enough: the next search asks again. */
export const enqueueFill = (tx: Tx, org: OrgId, filling: FillProgress): Promise<void> =>
  enqueue(tx, fillVectors.name, filling, { org, key: filling.model })

export const startFill = ({ model, dims }: sql.VectorSpace, since: bigint): FillProgress => ({
  model,
  dims,
  since: String(since),
  through: null,
  after: { fileId: '', ord: -1 },
})

/** Returns what is left to do. */
export function fillStep(
  db: Pick<Db, 'tx' | 'batchScope'>,
  org: OrgId,
  filling: FillProgress,
): Promise<FillProgress | null> {
  const { model, dims, after } = filling
  return db.tx(org, async (tx) => {
    const version = await lockVersion(tx, org)
    // Once the transaction has come to content, what is believed about its place is so.
    if (version === undefined || db.batchScope(org) !== 'platform') return null
    const [since, through] = [BigInt(filling.since), BigInt(filling.through ?? version)]
    const kind = { org, model, dims }
    const chunks = await listEmbeddedAfter(tx, org, since, after, CHUNKS_PER_STEP)
    const last = chunks.at(-1)
    if (!last) {
      await sql.recordFilled(tx, kind, since, through)
      return null
    }
    const fitting = chunks.filter((chunk) => chunk.model === model && chunk.embedding.length === dims)
    if (fitting.length > 0) await sql.insertVectors(tx, kind, fitting.map(toVectorRow))
    return { ...filling, through: String(through), after: { fileId: last.fileId, ord: last.ord } }
  })
}

const toVectorRow = ({ fileId, ord, repo, embedding }: EmbeddedChunk): sql.VectorRow => ({
  fileId,
  ord,
  repo,
  direction: new Int8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength),
})
