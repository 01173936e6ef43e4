// Where the database has the extension for vectors. The other way is among the tests of the index.

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

let own: VectorDatabase
let store: VectorStore
const logged: string[] = []
const vectorOf = clusteredVectors(DIMS, 20)
const tenants = Array.from({ length: TENANTS }, () => ({
  org: newId('org'),
  vectors: Array.from({ length: EACH }, vectorOf),
}))
const keyOf = (org: OrgId, repo = 'default') => ({ org, repo })
const kindOf = (org: OrgId, repo?: string) => ({ ...keyOf(org, repo), model: MODEL, dims: DIMS })

const log = createLog({ level: 'info', destination: { write: (line) => void logged.push(line) } })
const openStore = () => createVectorStore({ db: own.db, clock: own.clock, log })

beforeAll(async () => {
  own = await openVectorDatabase()
  store = openStore()
  // Tables first: an approximate index over what is there is made sooner than one that grows with it.
  expect(await store.isReady(1), logged.join('')).toBe(true)
  for (const { org, vectors } of tenants) {
    await storeVectors(own.db, keyOf(org), 'a.ts', vectors)
    expect(await fillAll(own.db, kindOf(org))).toBe(3)
  }
  expect(await store.isReady(DIMS), logged.join('')).toBe(true)
}, 60_000)
afterAll(() => own.close())

const [{ org, vectors }] = tenants as [(typeof tenants)[0]]
const asked = (rest: { text?: string } = {}): SearchQuestion & { vector: Int8Array } => ({
  text: 'common word3',
  vector: vectorOf(),
  vectorWeight: 0.5,
  ...rest,
})

/** So few would be sorted; what is tried is how it is with many. */
const byWalking = (tx: Tx) => tx.rows`select set_config('enable_sort', 'off', true)`

const exactly = (question: SearchQuestion) =>
  own.db.tx(org, (tx) => fullScan(tx, keyOf(org), MODEL, question))
const nearly = (question: ReturnType<typeof asked>) =>
  own.db.tx(org, async (tx) => {
    await byWalking(tx)
    return searchNearest(tx, keyOf(org), MODEL, question)
  })
const listed = (scanned: Ranking | undefined, most = 10) =>
  scanned?.ranking.slice(0, most).map(({ at, lexical, vector }) => {
    const indexed = scanned.at(at)
    return [indexed?.file.path, indexed?.symbol, lexical.toFixed(4), vector.toFixed(4)]
  })
const waiting = () => own.query("select payload from jobs where name = 'index.fillVectors'")

test('the nearest of one among eight are found, as many as were asked for', async () => {
  let [found, wanted] = [0, 0]
  for (const tenant of tenants) {
    const question = vectorOf()
    const near = await own.db.tx(tenant.org, async (tx) => {
      await byWalking(tx)
      return findNearest(tx, kindOf(tenant.org), question, [], RANKED_MAX)
    })
    expect(near).toHaveLength(RANKED_MAX)
    const exact = tenant.vectors.map((each) => dot(question, each, 0))
    for (const { ord, product } of near) expect(product).toBe(exact[ord])
    const bar = exact.sort((a, b) => b - a)[9] ?? 0
    found += near.slice(0, 10).filter(({ product }) => product >= bar).length
    wanted += 10
  }
  expect(found / wanted).toBeGreaterThanOrEqual(0.95)
  await own.query('select pg_stat_force_next_flush()')
  const [used] = await own.query(
    `select idx_scan from pg_stat_user_indexes where indexrelname = 'index_vectors_${DIMS}'`,
  )
  expect(Number(used?.idx_scan)).toBeGreaterThanOrEqual(TENANTS)
})

test('one organisation cannot ask for the vectors of another', async () => {
  const ask = (reach: OrgId) =>
    own.db.tx(reach, (tx) => findNearest(tx, kindOf(org), vectors[0] ?? vectorOf(), [], 5))
  expect(await ask(org)).toHaveLength(5)
  expect(await ask(tenants[1]?.org ?? org)).toEqual([])
})

test('the nearest of one repository are never those of another of the same organisation', async () => {
  const both = newId('org')
  const vector = vectorOf()
  for (const repo of ['acme/shop', 'acme/bank'])
    await storeVectors(own.db, keyOf(both, repo), 'a.ts', [vector])
  await fillAll(own.db, kindOf(both))
  const ids = await own.query('select id, repo from index_files where org_id = $1', [both])
  for (const { id, repo } of ids) {
    const near = await own.db.tx(both, (tx) => findNearest(tx, kindOf(both, String(repo)), vector, [], 5))
    expect(near.map(({ fileId }) => fileId)).toEqual([id])
  }
})

test('words and meaning are found as by comparing everything', async () => {
  for (const question of [asked(), asked({ text: 'word5' }), asked({ text: '' })])
    expect(listed(await nearly(question))).toEqual(listed(await exactly(question)))
  expect(await waiting()).toEqual([])
})

test('what was stored, replaced or removed a moment ago is found as it is, before its vectors are brought', async () => {
  const question = asked()
  const [near, far] = [question.vector, question.vector.map((each) => -each)]
  await storeVectors(own.db, keyOf(org), 'new.ts', [far, near])
  await storeVectors(own.db, keyOf(org), 'a.ts', vectors.slice(0, 100))
  expect(
    await own.query('select count(*)::int as count from index_vectors where org_id = $1', [org]),
  ).toEqual([{ count: 0 }])
  const found = await nearly(question)
  expect(listed(found)).toEqual(listed(await exactly(question)))
  expect(listed(found, 200)?.map(([path]) => path)).toContain('new.ts')
  const filling = expect.objectContaining({ payload: expect.objectContaining({ since: '1', through: null }) })
  expect(await waiting()).toEqual([filling])

  await fillAll(own.db, kindOf(org), 1n)
  expect(await own.query('select version from index_vector_fills where org_id = $1', [org])).toEqual([
    { version: 3 },
  ])
  expect(listed(await nearly(question))).toEqual(listed(await exactly(question)))
  const isAllowed = (path: string) => path !== 'new.ts'
  expect(listed(await nearly({ ...question, isAllowed }))).toEqual(
    listed(await exactly({ ...question, isAllowed })),
  )
})

test('what has no vectors yet is left to comparing everything, and asked for once', async () => {
  const late = newId('org')
  await storeVectors(own.db, keyOf(late), 'b.ts', vectors)
  const ask = () => own.db.tx(late, (tx) => searchNearest(tx, keyOf(late), MODEL, asked()))
  await own.query('delete from jobs')
  expect([await ask(), await ask()]).toEqual([undefined, undefined])
  expect(await waiting()).toHaveLength(1)
})

test('an extension that goes away is missed by nobody, and one that comes back begins anew', async () => {
  await own.query('drop extension vector cascade')
  await expect(nearly(asked())).rejects.toThrow(/does not exist/)
  store.disable(new Error('gone'))
  expect(await store.isReady(DIMS)).toBe(false)
  own.clock.advance({ minutes: 11 })
  expect(await store.isReady(DIMS)).toBe(true)
  expect(await own.db.tx(org, (tx) => searchNearest(tx, keyOf(org), MODEL, asked()))).toBe(undefined)
})
