// Runs a history: time advances in steps, and after every step the subscriptions are compared with the model.

import { performAction } from './actions/choose-action.ts'
import { wholeSecond } from './checks/calendar.ts'
import { createComparison, type SubscriptionComparison } from './checks/compare.ts'
import { checkEverything } from './checks/invariants.ts'
import { type SimOrg, Violation } from './org.ts'
import {
  checkNothingOverdue,
  decideCharges,
  deliverWebhooks,
  moveClock,
  type PendingWebhooks,
  runScheduler,
  scheduleWebhooks,
} from './time-step.ts'
import { openWorld, type World } from './world.ts'

export type History = {
  readonly seed: number
  readonly orgs: number
  readonly years: number
  /** The average time between two checks, and the probability that an organisation acts. */
  readonly stepDays?: number
  readonly actChance?: number
  readonly checkEvery?: number
  readonly say?: (line: string) => void
}
export type SimulationResult = {
  readonly steps: number
  readonly tally: World['tally']
  readonly money: readonly string[]
}

const YEAR_MS = 365.25 * 86_400_000
const AT_ONCE = 6
/** The probability that an organisation without a plan acts on a tricky date. */
const TRICKY_CHANCE = 0.35
/** The probability of an action in the same second as the start of a period. */
const EDGE_CHANCE = 0.6
const OUTAGE_CHANCE = 0.04
/** Long enough for the last status check of every undecided payment. */
const REST_STEPS = 12

type RunState = {
  readonly world: World
  readonly history: History
  readonly watch: SubscriptionComparison
  readonly messages: PendingWebhooks
  step: number
}

/** Throws a `Violation` that contains the command to reproduce it. */
export async function simulate(url: string, history: History): Promise<SimulationResult> {
  const { seed, orgs, years, checkEvery = 100, say = () => {} } = history
  const world = await openWorld(url, seed, orgs)
  const run: RunState = { world, history, watch: createComparison(world), messages: { due: [] }, step: 0 }
  const endMs = world.clock.now().getTime() + years * YEAR_MS
  say('the environment is ready')
  try {
    for (; world.clock.now().getTime() < endMs; run.step++) {
      await oneStep(run)
      if (run.step % checkEvery === checkEvery - 1) {
        await checkEverything(world, false)
        say(`step ${run.step}, ${world.clock.now().toISOString()}`)
      }
    }
    await drainEverything(run)
    const money = await checkEverything(world, true)
    return { steps: run.step, tally: world.tally, money }
  } catch (error) {
    throw describeViolation(run, error)
  } finally {
    await world.close()
  }
}

async function oneStep({ world, history, watch, messages }: RunState): Promise<void> {
  const { stepDays = 0.6, actChance = 0.03 } = history
  const { bank, random, orgs } = world
  const isTricky = moveClock(world, stepDays)
  bank.isDown = random() < OUTAGE_CHANCE
  decideCharges(world)
  scheduleWebhooks(world, messages)
  await deliverWebhooks(world, messages)
  const ran = await runScheduler(world)
  await watch.compareOrgs(orgs)
  if (ran && !bank.isDown) await checkNothingOverdue(world)
  const second = wholeSecond(world.clock.now()).getTime()
  const chanceOf = ({ state }: SimOrg): number => {
    if (!state) return isTricky ? TRICKY_CHANCE : actChance
    return state.periodStart.getTime() === second ? EDGE_CHANCE : actChance
  }
  const acting = orgs.filter((org) => random() < chanceOf(org))
  await inTurn(acting, (org) => performAction(world, org))
  await watch.compareOrgs(acting)
}

/** Decides all undecided charges and delivers all webhooks. */
async function drainEverything({ world, watch, messages }: RunState): Promise<void> {
  world.bank.isDown = false
  for (let step = 0; step < REST_STEPS; step++) {
    world.clock.advance({ hours: 12 })
    decideCharges(world, true)
    scheduleWebhooks(world, messages)
    await deliverWebhooks(world, messages, true)
    await runScheduler(world, 'once')
    await watch.compareOrgs(world.orgs)
    await checkNothingOverdue(world)
  }
}

async function inTurn(orgs: readonly SimOrg[], work: (org: SimOrg) => Promise<void>): Promise<void> {
  const rest = orgs.values()
  const worker = async () => {
    for (const org of rest) await named(org, work)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** An unexpected exception counts as a violation. */
async function named(org: SimOrg, work: (org: SimOrg) => Promise<void>): Promise<void> {
  try {
    await work(org)
  } catch (error) {
    throw error instanceof Violation && error.message.includes(org.owner.orgId)
      ? error
      : org.violation(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function describeViolation({ world, history, step }: RunState, error: unknown): Violation {
  const { seed, orgs, years } = history
  const message = error instanceof Error ? error.message : String(error)
  const about = world.orgs.find(({ owner }) => message.includes(owner.orgId))
  const trace = about ? `\nits last steps:\n${about.trace.join('\n')}` : ''
  const stack = error instanceof Error && !(error instanceof Violation) ? `\n${error.stack ?? ''}` : ''
  const again = `npm run sim:billing -- --seed ${seed} --orgs ${orgs} --years ${years}`
  return new Violation(
    `seed ${seed}, step ${step}, ${world.clock.now().toISOString()} (${again}): ${message}${stack}${trace}`,
  )
}
