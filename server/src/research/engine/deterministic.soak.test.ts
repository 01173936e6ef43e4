// The same question finds the same answer: nothing of a run depends on who asks, when, or which page was quicker.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireHonest } from '../world/honesty.fixture.ts'
import { type ResearchWorld, startResearchWorld } from '../world/world.fixture.ts'

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

/**
 * All that a run of a new customer has told and left behind. Names are made up for each run, and so are the marks around what
 * strangers wrote, whose tokens count.
 */
async function told(depth: string): Promise<string> {
  const as = await world.customer()
  const run = await world.research(as, { depth })
  expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
  await requireHonest(world, as, run)
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
  'a %s run is told twice alike, whichever page and search answers first',
  // Two whole runs: on a busy machine a minute is not enough.
  { timeout: 240_000 },
  async (depth) => {
    const first = await told(depth)
    // As many as are asked for at once.
    const [pages, searches] = [inReverse(6), inReverse(2)]
    world.web.wait(pages.wait)
    world.web.search.fallback(() => ({ until: searches.wait() }))
    expect(await told(depth)).toBe(first)
    expect([pages.isTurned, searches.isTurned]).toEqual([true, true])
    world.web.wait()
    world.web.search.reset()
  },
)

/** The first so many wait for each other, and then the last of them goes first. */
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
