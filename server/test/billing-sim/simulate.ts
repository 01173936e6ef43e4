// Runs a history: years go by in steps, and after every step what became of everybody is held against what should have.

import { act } from './actions/choose-action.ts'
import { wholeSecond } from './checks/calendar.ts'
import { openWatch, type Watch } from './checks/compare.ts'
import { checkEverything } from './checks/invariants.ts'
import { Breach, type Life } from './org.ts'
import {
  banksDecide,
  deliver,
  type Messages,
  moveClock,
  nothingForgotten,
  planMessages,
  runDay,
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
export type Survived = {
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

type Run = {
  readonly world: World
  readonly history: History
  readonly watch: Watch
  readonly messages: Messages
  step: number
}

/** Throws a `Breach` that says how to see it again. */
export async function simulate(url: string, history: History): Promise<Survived> {
  const { seed, orgs, years, checkEvery = 100, say = () => {} } = history
  const world = await openWorld(url, seed, orgs)
  const run: Run = { world, history, watch: openWatch(world), messages: { due: [] }, step: 0 }
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
    await comeToRest(run)
    const money = await checkEverything(world, true)
    return { steps: run.step, tally: world.tally, money }
  } catch (error) {
    throw breachOf(run, error)
  } finally {
    await world.close()
  }
}

async function oneStep({ world, history, watch, messages }: Run): Promise<void> {
  const { stepDays = 0.6, actChance = 0.03 } = history
  const { bank, random, lives } = world
  const isTricky = moveClock(world, stepDays)
  bank.isDown = random() < OUTAGE_CHANCE
  banksDecide(world)
  planMessages(world, messages)
  await deliver(world, messages)
  const ran = await runDay(world)
  await watch.look(lives)
  if (ran && !bank.isDown) await nothingForgotten(world)
  const second = wholeSecond(world.clock.now()).getTime()
  const chanceOf = ({ state }: Life): number => {
    if (!state) return isTricky ? TRICKY_CHANCE : actChance
    return state.periodStart.getTime() === second ? EDGE_CHANCE : actChance
  }
  const acting = lives.filter((life) => random() < chanceOf(life))
  await inTurn(acting, (life) => act(world, life))
  await watch.look(acting)
}

/** All that is undecided is decided, and all that was paid is told. */
async function comeToRest({ world, watch, messages }: Run): Promise<void> {
  world.bank.isDown = false
  for (let step = 0; step < REST_STEPS; step++) {
    world.clock.advance({ hours: 12 })
    banksDecide(world, true)
    planMessages(world, messages)
    await deliver(world, messages, true)
    await runDay(world, 'once')
    await watch.look(world.lives)
    await nothingForgotten(world)
  }
}

async function inTurn(lives: readonly Life[], work: (life: Life) => Promise<void>): Promise<void> {
  const rest = lives.values()
  const worker = async () => {
    for (const life of rest) await named(life, work)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** A bug that throws is a breach like any other. */
async function named(life: Life, work: (life: Life) => Promise<void>): Promise<void> {
  try {
    await work(life)
  } catch (error) {
    throw error instanceof Breach && error.message.includes(life.owner.orgId)
      ? error
      : life.breach(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function breachOf({ world, history, step }: Run, error: unknown): Breach {
  const { seed, orgs, years } = history
  const message = error instanceof Error ? error.message : String(error)
  const about = world.lives.find(({ owner }) => message.includes(owner.orgId))
  const trace = about ? `\nits last steps:\n${about.trace.join('\n')}` : ''
  const stack = error instanceof Error && !(error instanceof Breach) ? `\n${error.stack ?? ''}` : ''
  const again = `billing.sim.ts --seed ${seed} --orgs ${orgs} --years ${years}`
  return new Breach(
    `seed ${seed}, step ${step}, ${world.clock.now().toISOString()} (${again}): ${message}${stack}${trace}`,
  )
}
