// `node server/test/money.sim.ts`: random histories of money over two replicas, compared with a small model.
//   --seed n         the same history again
//   --operations n   how long it is, default 200000
//   --lanes n        how many organisations live at once, default 64
//   --bug name       with one of the planted bugs, to see it caught
import { parseArgs } from 'node:util'
import { bugs } from './money/bugs.ts'
import { simulate } from './money/simulate.ts'
import { bugNamed, runOnce, say } from './simulation.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '200000' },
    lanes: { type: 'string', default: '64' },
    bug: { type: 'string' },
  },
})
const bug = bugNamed(bugs, options.bug)

await runOnce('money', async (url) => {
  say(`seed ${options.seed}`)
  const begun = performance.now()
  const { operations, races, byKind } = await simulate(url, {
    seed: Number(options.seed),
    operations: Number(options.operations),
    lanes: Number(options.lanes),
    say,
    ...(bug && { planted: bug.plant() }),
  })
  const seconds = (performance.now() - begun) / 1_000
  say([...byKind].map(([kind, count]) => `${kind} ${count}`).join(', '))
  say(`${operations} operations, ${races} races, no breach; ${Math.round(operations / seconds)} a second`)
})
