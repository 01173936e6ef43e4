// `npm run sim`: random histories of money on two replicas, compared with a small model.
//   --seed n         repeats a history
//   --operations n   length, default 200000
//   --orgs n         concurrent organisations, default 64
//   --bug name       installs a planted bug, which must be detected
//   --bugs           installs each planted bug in turn; all must be detected
//   --cluster        sends HTTP requests through the proxy of the cluster
//   --citus n        on Citus with n workers, whose shards move all the time
import { parseArgs } from 'node:util'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { moveShards } from '../../cluster/citus/moves.ts'
import { bugNamed, runOnce, say } from '../simulation.ts'
import { type Bug, bugs } from './bugs.ts'
import { simulate } from './simulate.ts'

/** A bug must be detected within this many operations. */
const OPERATIONS_WITH_A_BUG = 20_000

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '200000' },
    orgs: { type: 'string', default: '64' },
    bug: { type: 'string' },
    bugs: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    citus: { type: 'string', default: '0' },
  },
})
const bug = bugNamed(bugs, options.bug)

if (options.bugs) for (const each of bugs) await runOnce('money', (url) => catchBug(url, each))
else await runOnce('money', liveThrough, Number(options.citus))

async function liveThrough(url: string, adminUrl: string): Promise<void> {
  say(`seed ${options.seed}`)
  const begun = performance.now()
  let isOver = false
  const moving = options.citus === '0' ? 0 : moveShards(adminUrl, seeded(Number(options.seed)), () => isOver)
  const { operations, races, byKind } = await simulate(url, {
    seed: Number(options.seed),
    operations: Number(options.operations),
    orgs: Number(options.orgs),
    isBehindProxy: options.cluster,
    adminUrl,
    say,
    ...(bug && { planted: bug.plant() }),
  }).finally(() => {
    isOver = true
  })
  if (options.citus !== '0') say(`${await moving} shards were moved`)
  const seconds = (performance.now() - begun) / 1_000
  say([...byKind].map(([kind, count]) => `${kind} ${count}`).join(', '))
  say(`${operations} operations, ${races} races, no violation; ${Math.round(operations / seconds)} a second`)
}

async function catchBug(url: string, { name, plant }: Bug): Promise<void> {
  const history = { seed: 7, orgs: 12, fullCheckEvery: 4, operations: OPERATIONS_WITH_A_BUG }
  const detected = await simulate(url, { ...history, planted: plant() }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (!detected?.startsWith('seed 7, near operation')) throw new Error(`NOT DETECTED: ${name} (${detected})`)
  say(`detected: ${name}`)
}
