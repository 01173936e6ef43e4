// `node server/test/billing.sim.ts`: years of plans, cards, bills and renewals over two replicas, held against an oracle.
//   --seed n     the same history again
//   --orgs n     how many organisations live, default 1000
//   --years n    for how long, default 3
//   --step n     how many days go by between two looks, on average
//   --chance n   how likely it is that an organisation does something between two looks
//   --bug name   with one of the planted bugs, to see it caught
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { bugs } from './billing-sim/bugs.ts'
import { simulate } from './billing-sim/simulate.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    orgs: { type: 'string', default: '1000' },
    years: { type: 'string', default: '3' },
    step: { type: 'string', default: '0.8' },
    chance: { type: 'string', default: '0.03' },
    bug: { type: 'string' },
  },
})
const say = (line: string) => process.stderr.write(`${line}\n`)

const bug = bugs.find(({ name }) => name === options.bug)
if (options.bug && !bug) {
  say(`There is no bug of this name; there are:\n${bugs.map(({ name }) => name).join('\n')}`)
  process.exit(2)
}

const dir = mkdtempSync(join(tmpdir(), 'cowrie-billing-'))
const database = await startEmbedded({
  dir: join(dir, 'db'),
  log: () => undefined,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
})
try {
  await migrate(database.url)
  await bug?.spoil(database.url)
  say(`seed ${options.seed}`)
  const begun = performance.now()
  const { steps, tally, money } = await simulate(database.url, {
    seed: Number(options.seed),
    orgs: Number(options.orgs),
    years: Number(options.years),
    stepDays: Number(options.step),
    actChance: Number(options.chance),
    say,
  })
  for (const line of [...tally.lines, ...money]) say(line)
  say(`${steps} steps, no breach, ${((performance.now() - begun) / 1_000).toFixed(1)} seconds`)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await database.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
// A world that could not be made leaves its doors open.
process.exit()
