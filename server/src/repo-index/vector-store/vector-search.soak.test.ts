// Search with the vector extension. `index.test.ts` covers databases without it.

import {
  clusteredVectors,
  fillAll,
  MODEL,
  openVectorDatabase,
  storeVectors,
  type VectorDatabase,
} from '@cowrie/testkit/repo-index/vector-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { createLog } from '../../platform/log/log.ts'
import { dot } from '../embedding/vectors.ts'
import { RANKED_MAX } from '../ranking/fusion.ts'
import { fullScan, type Ranking } from '../search/full-scan.ts'
import type { SearchQuestion } from '../search/memory-index.ts'
import { searchNearest } from './vector-search.ts'
import { createVectorStore, type VectorStore } from './vector-store.ts'
import { findNearest } from './vectors-sql.ts'

const DIMS = 16
const TENANTS = 8
const EACH = 220

let database: VectorDatabase
let store: VectorStore
const logged: string[] = []
const vectorOf = clusteredVectors(DIMS, 20)
const tenants = Array.from({ length: TENANTS }, () => ({
  org: newId('org'),
  vectors: Array.from({ length: EACH }, vectorOf),
}))
const keyOf = (org: OrgId, repo = 'default') => ({ org, repo })
const spaceOf = (org: OrgId, repo?: string) => ({ ...keyOf(org, repo), model: MODEL, dims: DIMS })

const log = createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } })
const openStore = () => createVectorStore({ db: database.db, clock: database.clock, log })

beforeAll(async () => {
  database = await openVectorDatabase()
  store = openStore()
  // Fills the table first: building the approximate index afterwards is faster than growing it.
  expect(await store.isReady(1), logged.join('')).toBe(true)
  for (const { org, vectors } of tenants) {
    await storeVectors(database.db, keyOf(org), 'a.ts', vectors)
    expect(await fillAll(database.db, spaceOf(org))).toBe(3)
  }
  expect(await store.isReady(DIMS), logged.join('')).toBe(true)
}, 60_000)
afterAll(() => database.close())

const [{ org, vectors }] = tenants as [(typeof tenants)[0]]
const createQuestion = (rest: { text?: string } = {}): SearchQuestion & { vector: Int8Array } => ({
  text: 'common word3',
  vector: vectorOf(),
  vectorWeight: 0.5,
  ...rest,
})

/** Forces the index: PostgreSQL would sort so few rows instead. */
const forceIndexScan = (tx: Tx) => tx.rows`select set_config('enable_sort', 'off', true)`

const searchExact = (question: SearchQuestion) =>
  database.db.tx(org, (tx) => fullScan(tx, keyOf(org), MODEL, question))
const searchApproximate = (question: ReturnType<typeof createQuestion>) =>
  database.db.tx(org, async (tx) => {
    await forceIndexScan(tx)
    return searchNearest(tx, keyOf(org), MODEL, question)
  })
const summarize = (scanned: Ranking | undefined, most = 10) =>
  scanned?.ranking.slice(0, most).map(({ at, lexical, vector }) => {
    const indexed = scanned.at(at)
    return [indexed?.file.path, indexed?.symbol, lexical.toFixed(4), vector.toFixed(4)]
  })
const queuedFills = () => database.query("select payload from jobs where name = 'index.fillVectors'")

test('a search in one of eight organisations returns as many vectors as requested', async () => {
  let [found, expected] = [0, 0]
  for (const tenant of tenants) {
    const question = vectorOf()
    const near = await database.db.tx(tenant.org, async (tx) => {
      await forceIndexScan(tx)
      return findNearest(tx, spaceOf(tenant.org), question, [], RANKED_MAX)
    })
    expect(near).toHaveLength(RANKED_MAX)
    const exact = tenant.vectors.map((each) => dot(question, each, 0))
    for (const { ord, product } of near) expect(product).toBe(exact[ord])
    const threshold = exact.sort((a, b) => b - a)[9] ?? 0
    found += near.slice(0, 10).filter(({ product }) => product >= threshold).length
    expected += 10
  }
  expect(found / expected).toBeGreaterThanOrEqual(0.95)
  await database.query('select pg_stat_force_next_flush()')
  const [used] = await database.query(
    `select idx_scan from pg_stat_user_indexes where indexrelname = 'index_vectors_${DIMS}'`,
  )
  expect(Number(used?.idx_scan)).toBeGreaterThanOrEqual(TENANTS)
})

test('an organisation cannot read the vectors of another', async () => {
  const ask = (scope: OrgId) =>
    database.db.tx(scope, (tx) => findNearest(tx, spaceOf(org), vectors[0] ?? vectorOf(), [], 5))
  expect(await ask(org)).toHaveLength(5)
  expect(await ask(tenants[1]?.org ?? org)).toEqual([])
})

test('a search in one repository never returns vectors of another', async () => {
  const both = newId('org')
  const vector = vectorOf()
  for (const repo of ['acme/shop', 'acme/bank'])
    await storeVectors(database.db, keyOf(both, repo), 'a.ts', [vector])
  await fillAll(database.db, spaceOf(both))
  const ids = await database.query('select id, repo from index_files where org_id = $1', [both])
  for (const { id, repo } of ids) {
    const near = await database.db.tx(both, (tx) =>
      findNearest(tx, spaceOf(both, String(repo)), vector, [], 5),
    )
    expect(near.map(({ fileId }) => fileId)).toEqual([id])
  }
})

test('the results equal those of a full scan', async () => {
  for (const question of [createQuestion(), createQuestion({ text: 'word5' }), createQuestion({ text: '' })])
    expect(summarize(await searchApproximate(question))).toEqual(summarize(await searchExact(question)))
  expect(await queuedFills()).toEqual([])
})

test('recent changes are found correctly before their vectors are filled', async () => {
  const question = createQuestion()
  const [near, far] = [question.vector, question.vector.map((each) => -each)]
  await storeVectors(database.db, keyOf(org), 'new.ts', [far, near])
  await storeVectors(database.db, keyOf(org), 'a.ts', vectors.slice(0, 100))
  expect(
    await database.query('select count(*)::int as count from index_vectors where org_id = $1', [org]),
  ).toEqual([{ count: 0 }])
  const found = await searchApproximate(question)
  expect(summarize(found)).toEqual(summarize(await searchExact(question)))
  expect(summarize(found, 200)?.map(([path]) => path)).toContain('new.ts')
  const fill = expect.objectContaining({ payload: expect.objectContaining({ since: '1', through: null }) })
  expect(await queuedFills()).toEqual([fill])

  await fillAll(database.db, spaceOf(org), 1n)
  expect(await database.query('select version from index_vector_fills where org_id = $1', [org])).toEqual([
    { version: 3 },
  ])
  expect(summarize(await searchApproximate(question))).toEqual(summarize(await searchExact(question)))
  const isAllowed = (path: string) => path !== 'new.ts'
  expect(summarize(await searchApproximate({ ...question, isAllowed }))).toEqual(
    summarize(await searchExact({ ...question, isAllowed })),
  )
})

test('without stored vectors the search returns undefined and enqueues one fill', async () => {
  const unfilledOrg = newId('org')
  await storeVectors(database.db, keyOf(unfilledOrg), 'b.ts', vectors)
  const ask = () =>
    database.db.tx(unfilledOrg, (tx) => searchNearest(tx, keyOf(unfilledOrg), MODEL, createQuestion()))
  await database.query('delete from jobs')
  expect([await ask(), await ask()]).toEqual([undefined, undefined])
  expect(await queuedFills()).toHaveLength(1)
})

test('searches survive the removal of the extension, and filling restarts when it returns', async () => {
  await database.query('drop extension vector cascade')
  await expect(searchApproximate(createQuestion())).rejects.toThrow(/does not exist/)
  store.disable(new Error('gone'))
  expect(await store.isReady(DIMS)).toBe(false)
  database.clock.advance({ minutes: 11 })
  expect(await store.isReady(DIMS)).toBe(true)
  expect(await database.db.tx(org, (tx) => searchNearest(tx, keyOf(org), MODEL, createQuestion()))).toBe(
    undefined,
  )
})
