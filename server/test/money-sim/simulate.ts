// Runs a history: every organisation lives by itself and all at once; then the clock moves, what is due is swept, and
// the journal is held against the model.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { sweepPayments } from '../../src/payments/settle/sweeper.ts'
import { expireDueHolds } from '../../src/wallet/holds/expire-holds.ts'
import { adoptOrder, findOrder, isEqual } from './check/find-order.ts'
import { checkEverything, show } from './check/invariants.ts'
import { checkJournal } from './check/journal.ts'
import { choose, drawStep, type Random } from './draw-step.ts'
import { perform } from './execute.ts'
import { Breach, type Lane, type Op } from './org.ts'
import { railStep } from './provider-steps.ts'
import { journalOf, journalSince, makeDue, overdueHolds, paymentsNamed } from './sql.ts'
import { HONEST, openWorld, type Planted, type World } from './world.ts'

export type History = {
  readonly seed: number
  readonly operations: number
  readonly lanes?: number
  readonly planted?: Planted
  /** How often everything is compared, in rounds. */
  readonly fullCheckEvery?: number
  readonly say?: (line: string) => void
  /** What goes over HTTP goes through the proxy of a cluster, to whichever replica has its turn. */
  readonly isBehindProxy?: boolean
}
export type Survived = {
  readonly operations: number
  readonly byKind: ReadonlyMap<string, number>
  readonly races: number
}

const LANES = 64
const OPERATIONS_PER_TURN = 20

type Run = {
  readonly world: World
  readonly seed: number
  byKind: Map<string, number>
  done: number
  races: number
  isOver: boolean
}

/** Throws a `Breach` that says how to see it again. */
export async function simulate(url: string, history: History): Promise<Survived> {
  const { seed, operations, lanes = LANES, planted = HONEST, fullCheckEvery = 50, say = () => {} } = history
  const { isBehindProxy = false } = history
  const world = await openWorld(url, lanes, planted, isBehindProxy)
  say('the world is there')
  const run: Run = { world, seed, byKind: new Map(), done: 0, races: 0, isOver: false }
  try {
    for (let round = 0; run.done < operations; round++) {
      const lives = world.lanes.map((lane, i) => live(run, lane, seeded(mix(seed, round, i))))
      for (const { status, ...failed } of await Promise.allSettled(lives))
        if (status === 'rejected') throw (failed as PromiseRejectedResult).reason
      await compareJournals(run)
      await turn(run, seeded(mix(seed, round, -1)))
      if (round % fullCheckEvery === fullCheckEvery - 1) {
        await checkEverything(world)
        say(`${run.done} operations`)
      }
    }
    await sweepHolds(run)
    await checkEverything(world)
  } catch (error) {
    throw breachOf(run, null, error)
  } finally {
    await world.close()
  }
  return { operations: run.done, byKind: run.byKind, races: run.races }
}

async function live(run: Run, lane: Lane, random: Random): Promise<void> {
  const { world } = run
  const now = world.clock.now()
  try {
    for (let left = OPERATIONS_PER_TURN; left > 0 && !run.isOver; ) {
      const which = random() < 0.5 ? 0 : 1
      const drawn = drawStep(random, lane, now, world.bug.in)
      const step = drawn === 'rail' ? await railStep(world, world.replicas[which], random, lane) : drawn
      for (const { kind } of step) run.byKind.set(kind, (run.byKind.get(kind) ?? 0) + 1)
      run.done += step.length || 1
      left -= step.length || 1
      if (step.length > 1) await race(run, lane, step, which, now)
      else if (step[0]) await oneByOne(run, lane, step[0], world.replicas[which], now)
      lane.wallet.keep()
    }
  } catch (error) {
    run.isOver = true
    throw breachOf(run, lane, error)
  }
}

async function oneByOne({ world }: Run, lane: Lane, op: Op, replica: TestServer, now: Date): Promise<void> {
  lane.note(show(op))
  const observed = await perform(world, replica, lane, op)
  const expected = lane.expect(op, now)
  if (!isEqual(observed, expected))
    throw new Breach(`${show(op)} came to ${show(observed)} where the model has ${show(expected)}`)
}

async function race(run: Run, lane: Lane, ops: readonly Op[], which: number, now: Date): Promise<void> {
  const { replicas, sql } = run.world
  run.races++
  lane.note(`at once: ${ops.map(show).join(' ')}`)
  const racers = await Promise.all(
    ops.map(async (op, i) => {
      const replica = replicas[(which + i) % 2] as TestServer
      return { op, observed: await perform(run.world, replica, lane, op) }
    }),
  )
  const journal = await journalOf(sql, lane.orgId, lane.wallet.entries.length)
  const references = ops.flatMap((op) => ('reference' in op ? [op.reference] : []))
  const payments = references.length > 0 ? await paymentsNamed(sql, references) : []
  if (findOrder(lane, racers, { journal, payments }, now)) return
  const came = racers.map(({ op, observed }) => `${show(op)} came to ${show(observed)}`)
  const moved = journal.map(({ kind, ref }) => `${kind} ${ref}`)
  throw new Breach(
    `no order explains this:\n${came.join('\n')}\nthe journal says: ${moved.join(', ') || 'nothing'}`,
  )
}

/** All that was written since the last time, of every wallet. */
async function compareJournals({ world: { sql, lanes } }: Run): Promise<void> {
  const rows = await journalSince(
    sql,
    lanes.map(({ orgId, checked }) => ({ orgId, seq: checked })),
  )
  const byOrg = Map.groupBy(rows, ({ orgId }) => orgId)
  for (const lane of lanes) named(lane, () => checkJournal(lane, byOrg.get(lane.orgId) ?? []))
}

/** Time goes by, and most of the time somebody sweeps. */
async function turn(run: Run, random: Random): Promise<void> {
  const { world } = run
  const by = choose(random, { seconds: 35, minutes: 30, hours: 18, days: 14 })
  world.clock.advance({
    seconds: 11,
    [by]: Math.ceil(random() * { seconds: 50, minutes: 40, hours: 30, days: 40 }[by]),
  })
  for (const lane of world.lanes) lane.asked.clear()
  if (random() < 0.7) await sweepHolds(run)
  if (random() < 0.3) await sweepRail(run)
}

/** Both replicas sweep at once; each hold that is due ends once. */
async function sweepHolds(run: Run): Promise<void> {
  const { world } = run
  const now = world.clock.now()
  await Promise.all(world.replicas.map(({ app }) => expireDueHolds(app)))
  await adopt(run, (lane) => {
    const due = [...lane.wallet.open.keys()].filter((ref) => lane.wallet.holdOf(ref).deadline <= now)
    return due.map((ref) => [ref, { kind: 'expire', ref }])
  })
  const [overdue] = await overdueHolds(world.sql, now)
  if (overdue) throw new Breach(`${overdue.id} is open beyond its deadline`)
}

/** Both ask the stand-in about every top-up that is not decided. */
async function sweepRail(run: Run): Promise<void> {
  const { world } = run
  const asked = new Map(
    world.lanes.map((lane) => [lane, lane.recent.rail.filter((each) => isAskedAbout(lane, each))]),
  )
  await makeDue(world.sql, [...asked.values()].flat(), world.clock.now())
  await Promise.all(world.replicas.map(({ app }) => sweepPayments(app)))
  await adopt(run, (lane) =>
    (asked.get(lane) ?? []).map((reference) => [
      reference,
      { kind: 'hear', reference, answer: lane.truthOf(reference) },
    ]),
  )
}

function isAskedAbout(lane: Lane, reference: string): boolean {
  const { status, isDecided } = lane.payments.of(reference)
  return !isDecided && status !== 'settled' && status !== 'review'
}

async function adopt(run: Run, dueOf: (lane: Lane) => [string, Op][]): Promise<void> {
  const { sql, lanes, clock } = run.world
  const rows = await journalSince(
    sql,
    lanes.map(({ orgId, checked }) => ({ orgId, seq: checked })),
  )
  const byOrg = Map.groupBy(rows, ({ orgId }) => orgId)
  for (const lane of lanes)
    named(lane, () => {
      const journal = byOrg.get(lane.orgId) ?? []
      lane.note(`swept: ${journal.map(({ ref }) => ref).join(' ')}`)
      const problem = adoptOrder(lane, new Map(dueOf(lane)), journal, clock.now())
      if (problem) throw new Breach(problem)
      lane.wallet.keep()
      checkJournal(lane, journal)
    })
}

function named(lane: Lane, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof Breach
      ? new Breach(`${lane.name}: ${error.message}\n${lane.trace.join('\n')}`)
      : error
  }
}

/** What anybody needs to see it again. A bug that throws is a breach like any other. */
function breachOf({ seed, done, world }: Run, lane: Lane | null, error: unknown): Breach {
  if (error instanceof Breach && error.message.startsWith('seed ')) return error
  const again = `money.sim.ts --seed ${seed} --lanes ${world.lanes.length} --operations ${done}`
  const where = lane ? `${lane.name}, its last steps:\n${lane.trace.join('\n')}\n` : ''
  const what = error instanceof Breach ? error.message : `an operation failed: ${stackOf(error)}`
  return new Breach(`seed ${seed}, near operation ${done} (${again}): ${where}${what}`)
}

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

const mix = (seed: number, round: number, lane: number): number =>
  Math.imul(Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ (round * 2_654_435_761 + lane), 0xc2b2ae35) >>> 0
