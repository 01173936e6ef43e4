// Runs are deterministic: nothing depends on the user, the time, or which page answers first.

import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import { type ResearchWorld, startResearchWorld } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: ResearchWorld
beforeAll(async () => {
  world = await startResearchWorld()
  world.web.show(
    world.web.pages
      .filter(({ path }) => /^\/(harbour|coast|trade|makoro|wire|mirror)/.test(path))
      .map(({ path }) => path),
  )
})
afterAll(() => world.close())

/** All events and files of a run by a new customer. Ids differ between runs, and so do nonces, whose tokens count. */
async function told(depth: string): Promise<string> {
  const as = await world.customer()
  const run = await world.research(as, { depth })
  expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
  await requireValidCitations(world, as, run)
  const files = await Promise.all(
    ['report.md', 'report.html', 'sources.json'].map((name) => world.file(as, run, name)),
  )
  const events = JSON.stringify(await world.events(as, run.id), null, 1)
  const lasting = events
    .replaceAll(/att_\w+/g, 'att')
    .replaceAll(/"(tokens|costMinor|spentMinor)": \d+/g, '"$1": 0')
  return [lasting, ...files].join('\n')
}

test.for(['quick', 'standard'])(
  'two %s runs give the same events, whichever page and search answers first',
  // Two whole runs take more than a minute on a busy machine.
  { timeout: 240_000 },
  async (depth) => {
    const first = await told(depth)
    // The number of concurrent requests.
    const [pages, searches] = [inReverse(6), inReverse(2)]
    world.web.wait(pages.wait)
    world.web.search.fallback(() => ({ until: searches.wait() }))
    expect(await told(depth)).toBe(first)
    expect([pages.isTurned, searches.isTurned]).toEqual([true, true])
    world.web.wait()
    world.web.search.reset()
  },
)

/** The first requests wait for each other, and the last of them is answered first. */
function inReverse(many: number) {
  const waiting: (() => void)[] = []
  return {
    wait: async () => {
      if (waiting.length === many) return
      await new Promise<void>((resolve) => {
        if (waiting.push(resolve) === many) for (const go of waiting.toReversed()) go()
      })
    },
    get isTurned() {
      return waiting.length === many
    },
  }
}
