// What CAPACITY.md says of the schema is so.
import { readFileSync } from 'node:fs'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Obstacles, obstaclesOf } from './test/distribution.ts'

const text = readFileSync(new URL('CAPACITY.md', import.meta.url), 'utf8')
let world: TestDb
let obstacles: Obstacles
beforeAll(async () => {
  world = await openTestDb()
  obstacles = await obstaclesOf(world.sql)
})
afterAll(() => world.close())

/** The tables that stand behind these words, up to the end of the sentence. */
const listedAfter = (words: string): string[] => {
  const from = text.indexOf(words)
  expect(from, words).toBeGreaterThan(0)
  const sentence = text.slice(from + words.length, text.indexOf('.\n', from))
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

test('which tables could be distributed by organisation, and what keeps the others from it', () => {
  expect(listedAfter('on the coordinator:')).toEqual(obstacles.without)
  expect(listedAfter('The tables:')).toEqual(obstacles.uniques)
  expect(listedAfter('in several organisations:')).toEqual(obstacles.people)
})

test('tables that are said to grow exist, and the journal is not to be partitioned because its keys have no time in them', async () => {
  const { found } = await world.sql.one<{ found: number }>`
    select count(*)::int as found from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'cause'
    where i.indrelid = 'movements'::regclass and i.indisunique and a.attnum = any (i.indkey::int2[])`
  expect(found).toBeGreaterThan(0)
})

test('every advisory lock ends with its transaction, so a pooler by transaction does not break one', async () => {
  const { stray } = await world.sql.one<{ stray: number }>`
    select count(*)::int as stray from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prosrc ~ 'pg_(try_)?advisory_lock'`
  expect(stray).toBe(0)
})
