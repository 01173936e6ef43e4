// `node server/test/money-sim/run.ts`: random histories of money over two replicas, compared with a small model.
//   --seed n         the same history again
//   --operations n   how long it is, default 200000
//   --orgs n        how many organisations live at once, default 64
//   --bug name       with one of the planted bugs, to see it caught
//   --bugs           with each of the planted bugs in turn: all must be caught
//   --cluster        what goes over HTTP goes through the proxy of the cluster
import { parseArgs } from 'node:util'
import { bugNamed, runOnce, say } from '../simulation.ts'
import { type Bug, bugs } from './bugs.ts'
import { simulate } from './simulate.ts'

/** A bug that needs longer than this is as good as not caught. */
const OPERATIONS_WITH_A_BUG = 20_000

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '200000' },
    orgs: { type: 'string', default: '64' },
    bug: { type: 'string' },
    bugs: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
  },
})
const bug = bugNamed(bugs, options.bug)

if (options.bugs) for (const each of bugs) await runOnce('money', (url) => catchBug(url, each))
else await runOnce('money', liveThrough)

async function liveThrough(url: string): Promise<void> {
  say(`seed ${options.seed}`)
  const begun = performance.now()
  const { operations, races, byKind } = await simulate(url, {
    seed: Number(options.seed),
    operations: Number(options.operations),
    orgs: Number(options.orgs),
    isBehindProxy: options.cluster,
    say,
    ...(bug && { planted: bug.plant() }),
  })
  const seconds = (performance.now() - begun) / 1_000
  say([...byKind].map(([kind, count]) => `${kind} ${count}`).join(', '))
  say(`${operations} operations, ${races} races, no breach; ${Math.round(operations / seconds)} a second`)
}

async function catchBug(url: string, { name, plant }: Bug): Promise<void> {
  const history = { seed: 7, orgs: 12, fullCheckEvery: 4, operations: OPERATIONS_WITH_A_BUG }
  const noticed = await simulate(url, { ...history, planted: plant() }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (!noticed?.startsWith('seed 7, near operation')) throw new Error(`NOT NOTICED: ${name} (${noticed})`)
  say(`noticed: ${name}`)
}
