// CAPACITY.md matches the schema.
import { readFileSync } from 'node:fs'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findObstacles, type Obstacles } from './test/distribution.ts'

const text = readFileSync(new URL('CAPACITY.md', import.meta.url), 'utf8')
let world: TestDb
let obstacles: Obstacles
beforeAll(async () => {
  world = await openTestDb()
  obstacles = await findObstacles(world.sql)
})
afterAll(() => world.close())

/** The tables listed after these words, up to the end of the sentence. */
const listedAfter = (words: string): string[] => {
  const from = text.indexOf(words)
  expect(from, words).toBeGreaterThan(0)
  const sentence = text.slice(from + words.length, text.indexOf('.\n', from))
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

test('CAPACITY.md lists the tables that cannot be distributed by organisation, with the reason', () => {
  expect(listedAfter('on the coordinator:')).toEqual(obstacles.withoutOrg)
  expect(listedAfter('The tables:')).toEqual(obstacles.globalKeys)
  expect(listedAfter('in several organisations:')).toEqual(obstacles.userReferences)
})

test('the journal cannot be partitioned by time, because it has a unique key on the cause', async () => {
  const { found } = await world.sql.one<{ found: number }>`
    select count(*)::int as found from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'cause'
    where i.indrelid = 'movements'::regclass and i.indisunique and a.attnum = any (i.indkey::int2[])`
  expect(found).toBeGreaterThan(0)
})

test('every advisory lock ends with its transaction, so a transaction pooler does not break it', async () => {
  const { stray } = await world.sql.one<{ stray: number }>`
    select count(*)::int as stray from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prosrc ~ 'pg_(try_)?advisory_lock'`
  expect(stray).toBe(0)
})
