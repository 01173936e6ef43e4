// Compares the approximate vector index with an exact scan in PGlite, which has the vector extension on every machine.
// A PostgreSQL server is several times as fast, so only the ratio and the recall are meaningful.

import { embedQuery } from '@cowrie/models/embedding/embedding.ts'
import {
  fillAll,
  MODEL,
  openVectorDatabase,
  storeVectors,
  type VectorDatabase,
} from '@cowrie/testkit/repo-index/vector-database.ts'
import { ManualClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { fullScan, type Ranking } from '../../src/repo-index/search/full-scan.ts'
import { searchNearest } from '../../src/repo-index/vector-store/vector-search.ts'
import { createVectorStore } from '../../src/repo-index/vector-store/vector-store.ts'
import { forceIndexScan } from './sql.ts'

export type ApproximateReport = {
  vectors: number
  recall10: number
  approximateMs: number
  exactMs: number
}

const STATEMENT_TIMEOUT_MS = 600_000
const VECTORS_PER_FILE = 250

/** Median times of a vector-only search, and the share of the exact top ten that it found. */
export async function measureApproximate(
  vectors: readonly Int8Array[],
  questions: readonly string[],
): Promise<ApproximateReport> {
  const own = await openVectorDatabase(STATEMENT_TIMEOUT_MS)
  try {
    const { db } = own
    const org = newId('org')
    const key = { org, repo: 'bench' }
    const dims = vectors[0]?.length ?? 0
    const log = createLog({ level: 'warn', clock: new ManualClock() })
    const store = createVectorStore({ db, clock: own.clock, log })
    // Creates the tables. The index for `dims` follows after the rows are loaded, which is faster than an index that grows with them.
    await store.isReady(1)
    for (let at = 0; at < vectors.length; at += VECTORS_PER_FILE)
      await storeVectors(db, key, `${at}.ts`, vectors.slice(at, at + VECTORS_PER_FILE))
    await fillAll(db, { org, model: MODEL, dims })
    if (!(await store.isReady(dims))) throw new Error('PGlite has no approximate index')
    await own.query('analyze')

    const times: { approximate: number[]; exact: number[] } = { approximate: [], exact: [] }
    let [found, wanted] = [0, 0]
    for (const text of questions) {
      const question = { text: '', vector: embedQuery(text), vectorWeight: 1 }
      const near = await timed(times.approximate, () =>
        db.tx(org, async (tx) => {
          await forceIndexScan(tx)
          return searchNearest(tx, key, MODEL, question)
        }),
      )
      const exact = await timed(times.exact, () => db.tx(org, (tx) => fullScan(tx, key, MODEL, question)))
      const bar = bestTen(exact).at(-1) ?? 0
      found += bestTen(near).filter((product) => product >= bar).length
      wanted += bestTen(exact).length
    }
    if (!(await isWalked(own, dims))) throw new Error('the approximate index was not used')
    const [approximateMs, exactMs] = [median(times.approximate), median(times.exact)]
    return { vectors: vectors.length, recall10: found / wanted, approximateMs, exactMs }
  } finally {
    await own.close()
  }
}

async function isWalked(own: VectorDatabase, dims: number): Promise<boolean> {
  await own.query('select pg_stat_force_next_flush()')
  const [used] = await own.query('select idx_scan from pg_stat_user_indexes where indexrelname = $1', [
    `index_vectors_${dims}`,
  ])
  return Number(used?.idx_scan) > 0
}

const bestTen = (scanned: Ranking | undefined): number[] =>
  scanned?.ranking.slice(0, 10).map(({ vector }) => vector) ?? []

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  times.push(performance.now() - startedMs)
  return result
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
