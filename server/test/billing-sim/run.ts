// `npm run sim:billing`: simulates years of plans, cards, bills and renewals on two replicas and compares them with a model.
//   --seed n     repeats a history
//   --orgs n     organisations, default 1000
//   --years n    duration, default 3
//   --step n     average days between two checks
//   --chance n   probability that an organisation acts between two checks
//   --bug name   installs a planted bug, which must be detected
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
  say(`${steps} steps, no violation, ${((performance.now() - begun) / 1_000).toFixed(1)} seconds`)
})
// An environment that failed to start may leave open handles.
process.exit()
