// Brings the vectors of an index into the database, where an approximate index finds them: in small steps, and as often as it changes.
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import type { Place } from '../search/read-sql.ts'
import { type Embedded, embeddedAfter, steadyVersion } from './content-sql.ts'
import { vectorStoreOf } from './vector-store.ts'
import * as sql from './vectors-sql.ts'

/** One pass over all files that came after `since`. Numbers of changes as texts, because a payload has no others so large. */
export type Filling = {
  readonly model: string
  readonly dims: number
  readonly since: string
  /** The change that the pass began after; null before its first step. */
  readonly through: string | null
  readonly after: Place
}

/** Who changes the index waits while a step lasts. */
const CHUNKS_PER_STEP = 200
const STEPS_PER_JOB = 100

export const fillVectors = job<Filling>('index.fillVectors', {
  perOrg: 1,
  slow: true,
  timeoutMs: 300_000,
  async run(app, { payload, org, signal }) {
    if (org === null || !(await vectorStoreOf(app).isReady(payload.dims))) return
    let filling: Filling | null = payload
    for (let step = 0; step < STEPS_PER_JOB && filling; step++) {
      signal.throwIfAborted()
      filling = await fillStep(app.db, org, filling)
    }
    const rest = filling
    if (rest) await app.db.tx(org, (tx) => askForFilling(tx, org, rest))
  },
})

/** One that waits already, from wherever it goes on, is enough: the next search asks again. */
export const askForFilling = (tx: Tx, org: OrgId, filling: Filling): Promise<void> =>
  enqueue(tx, fillVectors.name, filling, { org, key: filling.model })

export const beginning = ({ model, dims }: sql.Kind, since: bigint): Filling => ({
  model,
  dims,
  since: String(since),
  through: null,
  after: { fileId: '', ord: -1 },
})

/** Returns what is left to do. */
export function fillStep(
  db: Pick<Db, 'tx' | 'reachTogether'>,
  org: OrgId,
  filling: Filling,
): Promise<Filling | null> {
  const { model, dims, after } = filling
  return db.tx(org, async (tx) => {
    const version = await steadyVersion(tx, org)
    // Once the transaction has come to content, what is believed about its place is so.
    if (version === undefined || db.reachTogether(org) !== 'platform') return null
    const [since, through] = [BigInt(filling.since), BigInt(filling.through ?? version)]
    const kind = { org, model, dims }
    const chunks = await embeddedAfter(tx, org, since, after, CHUNKS_PER_STEP)
    const last = chunks.at(-1)
    if (!last) {
      await sql.noteFilled(tx, kind, since, through)
      return null
    }
    const fitting = chunks.filter((chunk) => chunk.model === model && chunk.embedding.length === dims)
    if (fitting.length > 0) await sql.insertVectors(tx, kind, fitting.map(directionOf))
    return { ...filling, through: String(through), after: { fileId: last.fileId, ord: last.ord } }
  })
}

const directionOf = ({ fileId, ord, repo, embedding }: Embedded): sql.Direction => ({
  fileId,
  ord,
  repo,
  direction: new Int8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength),
})
