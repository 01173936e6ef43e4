// `node server/test/billing-sim/run.ts`: years of plans, cards, bills and renewals over two replicas, held against an oracle.
//   --seed n     the same history again
//   --orgs n     how many organisations live, default 1000
//   --years n    for how long, default 3
//   --step n     how many days go by between two looks, on average
//   --chance n   how likely it is that an organisation does something between two looks
//   --bug name   with one of the planted bugs, to see it caught
import { parseArgs } from 'node:util'
import { bugNamed, runOnce, say } from '../simulation.ts'
import { bugs } from './bugs.ts'
import { simulate } from './simulate.ts'

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
const bug = bugNamed(bugs, options.bug)

await runOnce('billing', async (url) => {
  await bug?.install(url)
  say(`seed ${options.seed}`)
  const begun = performance.now()
  const { steps, tally, money } = await simulate(url, {
    seed: Number(options.seed),
    orgs: Number(options.orgs),
    years: Number(options.years),
    stepDays: Number(options.step),
    actChance: Number(options.chance),
    say,
  })
  for (const line of [...tally.lines, ...money]) say(line)
  say(`${steps} steps, no breach, ${((performance.now() - begun) / 1_000).toFixed(1)} seconds`)
})
// A world that could not be made leaves its doors open.
process.exit()
