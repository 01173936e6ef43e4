// Whole runs against a small web and the keyless model.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ResearchWorld, type RunDetail, startResearchWorld } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const FILES = ['report.md', 'report.html', 'sources.json', 'report.pdf', 'report.docx']

let world: ResearchWorld
let ada: Person
beforeAll(async () => {
  world = await startResearchWorld()
  world.web.show(
    world.web.pages.filter(({ path }) => /^\/[\w-]+\/[\w-]+$/.test(path)).map(({ path }) => path),
  )
  ada = await world.customer()
})
afterAll(() => world.close())

/** The cost of a run in the ledger. */
async function charged({ orgId }: Person): Promise<bigint> {
  const { sum } = await world.server.sql.one<{ sum: bigint }>`
    select coalesce(sum(charged_minor), 0)::bigint as sum from holds where org_id = ${orgId} and source = 'research'`
  return sum
}

/** Every `[n]` is a source that was read, and every quote occurs in the text of its sources. */
async function requireHonest(as: Person, run: RunDetail): Promise<void> {
  const markdown = await world.file(as, run, 'report.md')
  const read = new Set(run.sources.filter(({ status }) => status === 'read').map(({ n }) => n))
  const cited = [...markdown.matchAll(/\[(\d+)\](?!\()/g)].map(([, n]) => Number(n))
  for (const n of cited) expect(read, `[${n}]`).toContain(n)
  for (const { quote, sources } of run.findings)
    for (const n of sources) {
      const { body } = await world.server.call<{ text: string }>('GET', `/research/${run.id}/sources/${n}`, {
        as,
      })
      expect(body.text).toContain(quote)
    }
}

test('a quick run plans, reads and delivers a report with correct citations', async () => {
  const run = await world.research(ada)
  expect(run).toMatchObject({ status: 'completed', stopReason: 'completed', errorCode: null })
  expect(run.findings.length).toBeGreaterThan(2)
  expect(run.report?.files.map(({ name }) => name)).toEqual(FILES)
  expect(run.spentMinor).toBeGreaterThan(0n)
  expect(run.spentMinor).toBe(await charged(ada))
  await requireHonest(ada, run)
  const events = await world.events(ada, run.id)
  expect(events.at(-1)).toMatchObject({ kind: 'done' })
  expect(new Set(events.map(({ kind }) => kind))).toEqual(
    new Set(['phase', 'plan', 'search', 'source', 'finding', 'turn', 'report', 'done']),
  )
})
