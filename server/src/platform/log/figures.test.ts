import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COUNTED_MAX, createFigures, type FigureSource } from './figures.ts'
import { createLog } from './log.ts'

let world: TestDb
const logged: string[] = []
const log = createLog({ level: 'warn', destination: { write: (line: string) => void logged.push(line) } })
beforeAll(async () => {
  world = await openTestDb()
})
afterAll(() => world.close())

const source = (name: string, read: FigureSource['read']): FigureSource => ({
  name,
  metrics: { [`${name}_waiting`]: `Things of ${name} that wait.` },
  read,
})
const open = (sources: readonly FigureSource[], budgetMs?: number) =>
  createFigures({ db: world.db, clock: world.clock, log }, sources, budgetMs)
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('figures are printed with labels, escaped as Prometheus requires', async () => {
  const figures = open([source('a', async () => [['a_waiting', 3, { name: 'a "b"\\\n', kind: 'x' }]])])
  const text = await figures.exposition()
  expect(text).toContain(
    '# HELP cowrie_a_waiting Things of a that wait.\n# TYPE cowrie_a_waiting gauge\ncowrie_a_waiting{name="a \\"b\\"\\\\\\n",kind="x"} 3\n',
  )
  expect(linesOf(text).at(-1)).toBe('cowrie_figures_read_failed_total{source="a"} 0')
})

test('a failed read removes its own metric, counts the failure, and the next read brings the metric back', async () => {
  let isBroken = false
  const figures = open([
    source('b', async (tx) => {
      if (isBroken) await tx.rows`select missing from nowhere`
      return [['b_waiting', 1]]
    }),
    source('c', async () => [['c_waiting', 2]]),
  ])
  expect(await figures.exposition()).toContain('\ncowrie_b_waiting 1\n')
  isBroken = true
  world.clock.advance({ seconds: 11 })
  const failed = linesOf(await figures.exposition())
  expect(failed).toEqual([
    'cowrie_c_waiting 2',
    'cowrie_figures_read_failed_total{source="b"} 1',
    'cowrie_figures_read_failed_total{source="c"} 0',
  ])
  expect(logged.join()).toContain('metrics.figures.read_failed')
  isBroken = false
  world.clock.advance({ seconds: 11 })
  expect(await figures.exposition()).toContain('\ncowrie_b_waiting 1\n')
})

test('many scrapes within ten seconds read once', async () => {
  let reads = 0
  const figures = open([source('d', async () => [['d_waiting', ++reads]])])
  await Promise.all([figures.exposition(), figures.exposition()])
  world.clock.advance({ seconds: 9 })
  expect(linesOf(await figures.exposition())[0]).toBe('cowrie_d_waiting 1')
  world.clock.advance({ seconds: 1 })
  expect(linesOf(await figures.exposition())[0]).toBe('cowrie_d_waiting 2')
})

test('a slow read is cut off, and the scrape is answered within the budget', async () => {
  const startMs = performance.now()
  const figures = open(
    [
      source('slow', async (tx) => {
        await tx.rows`select pg_sleep(20)`
        return []
      }),
      source('late', async () => [['late_waiting', 1]]),
    ],
    200,
  )
  expect(linesOf(await figures.exposition())).toEqual([
    'cowrie_figures_read_failed_total{source="slow"} 1',
    'cowrie_figures_read_failed_total{source="late"} 1',
  ])
  expect(performance.now() - startMs).toBeLessThan(5_000)
})

test('a read cannot write', async () => {
  const figures = open([
    source('writer', async (tx) => {
      await tx.rows`insert into backup_reports (kind, succeeded_at) values ('base_backup', ${tx.now})`
      return [['writer_waiting', COUNTED_MAX]]
    }),
  ])
  expect(linesOf(await figures.exposition())).toEqual(['cowrie_figures_read_failed_total{source="writer"} 1'])
})
