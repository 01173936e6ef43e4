// Runs a history: years go by in steps, and after every step what became of everybody is held against what should have.

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
  /** How much time goes by between two looks, on average, and how likely it is that an organisation does something. */
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
/** On tricky days everybody who has no plan thinks of one. */
const TRICKY_CHANCE = 0.35
/** In the very second in which a period began. */
const EDGE_CHANCE = 0.6
const OUTAGE_CHANCE = 0.04
/** Long enough for all that is undecided to be asked about for the last time. */
const REST_STEPS = 12

type RunState = {
  readonly world: World
  readonly history: History
  readonly watch: SubscriptionComparison
  readonly messages: PendingWebhooks
  step: number
}

/** Throws a `Breach` that says how to see it again. */
export async function simulate(url: string, history: History): Promise<SimulationResult> {
  const { seed, orgs, years, checkEvery = 100, say = () => {} } = history
  const world = await openWorld(url, seed, orgs)
  const run: RunState = { world, history, watch: createComparison(world), messages: { due: [] }, step: 0 }
  const endMs = world.clock.now().getTime() + years * YEAR_MS
  say('the world is there')
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
  const { bank, random, orgs: lives } = world
  const isTricky = moveClock(world, stepDays)
  bank.isDown = random() < OUTAGE_CHANCE
  decideCharges(world)
  scheduleWebhooks(world, messages)
  await deliverWebhooks(world, messages)
  const ran = await runScheduler(world)
  await watch.compareOrgs(lives)
  if (ran && !bank.isDown) await checkNothingOverdue(world)
  const second = wholeSecond(world.clock.now()).getTime()
  const chanceOf = ({ state }: SimOrg): number => {
    if (!state) return isTricky ? TRICKY_CHANCE : actChance
    return state.periodStart.getTime() === second ? EDGE_CHANCE : actChance
  }
  const acting = lives.filter((life) => random() < chanceOf(life))
  await inTurn(acting, (life) => performAction(world, life))
  await watch.compareOrgs(acting)
}

/** All that is undecided is decided, and all that was paid is told. */
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

async function inTurn(lives: readonly SimOrg[], work: (life: SimOrg) => Promise<void>): Promise<void> {
  const rest = lives.values()
  const worker = async () => {
    for (const life of rest) await named(life, work)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** A bug that throws is a breach like any other. */
async function named(life: SimOrg, work: (life: SimOrg) => Promise<void>): Promise<void> {
  try {
    await work(life)
  } catch (error) {
    throw error instanceof Violation && error.message.includes(life.owner.orgId)
      ? error
      : life.violation(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function describeViolation({ world, history, step }: RunState, error: unknown): Violation {
  const { seed, orgs, years } = history
  const message = error instanceof Error ? error.message : String(error)
  const about = world.orgs.find(({ owner }) => message.includes(owner.orgId))
  const trace = about ? `\nits last steps:\n${about.trace.join('\n')}` : ''
  const stack = error instanceof Error && !(error instanceof Violation) ? `\n${error.stack ?? ''}` : ''
  const again = `billing.sim.ts --seed ${seed} --orgs ${orgs} --years ${years}`
  return new Violation(
    `seed ${seed}, step ${step}, ${world.clock.now().toISOString()} (${again}): ${message}${stack}${trace}`,
  )
}
