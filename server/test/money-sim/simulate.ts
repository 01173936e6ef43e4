// Runs a history: all organisations act concurrently, then the clock advances, due work is swept, and the journal is
// compared with the model.

import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { chooseWeighted, type Random, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { sweepPayments } from '../../src/payments/settle/sweeper.ts'
import { expireDueHolds } from '../../src/wallet/holds/expire-holds.ts'
import { expireDueTrials } from '../../src/wallet/trial/expire-trials.ts'
import { applyJournalOrder, findOrder, isEqual } from './check/find-order.ts'
import { checkEverything, toText } from './check/invariants.ts'
import { checkJournal } from './check/journal.ts'
import { drawStep } from './draw-step.ts'
import { execute } from './execute.ts'
import { type Op, type SimOrg, Violation } from './org.ts'
import { drawProviderStep } from './provider-steps.ts'
import { journalOf, journalSince, makeDue, overdueHolds, paymentsNamed } from './sql.ts'
import { NO_BUG, openWorld, type PlantedBug, type World } from './world.ts'

export type History = {
  readonly seed: number
  readonly operations: number
  readonly orgs?: number
  readonly planted?: PlantedBug
  /** A full check runs every this many rounds. */
  readonly fullCheckEvery?: number
  readonly say?: (line: string) => void
  /** Sends HTTP requests through the cluster proxy, which chooses the replica. */
  readonly isBehindProxy?: boolean
  /** The address of a superuser, where the role in `url` is none. */
  readonly adminUrl?: string
}
export type SimulationResult = {
  readonly operations: number
  readonly byKind: ReadonlyMap<string, number>
  readonly races: number
}

const ORGS = 64
const OPERATIONS_PER_TURN = 20

type RunState = {
  readonly world: World
  readonly seed: number
  byKind: Map<string, number>
  done: number
  races: number
  isOver: boolean
}

/** Throws a `Violation` that contains the command to reproduce it. */
export async function simulate(url: string, history: History): Promise<SimulationResult> {
  const { seed, operations, orgs = ORGS, planted = NO_BUG, fullCheckEvery = 50, say = () => {} } = history
  const { isBehindProxy = false, adminUrl } = history
  const world = await openWorld(url, orgs, planted, isBehindProxy, adminUrl)
  say('the environment is ready')
  const run: RunState = { world, seed, byKind: new Map(), done: 0, races: 0, isOver: false }
  try {
    for (let round = 0; run.done < operations; round++) {
      const turns = world.orgs.map((org, i) => runTurn(run, org, seeded(mix(seed, round, i))))
      for (const { status, ...failed } of await Promise.allSettled(turns))
        if (status === 'rejected') throw (failed as PromiseRejectedResult).reason
      await compareJournals(run)
      await advanceTime(run, seeded(mix(seed, round, -1)))
      if (round % fullCheckEvery === fullCheckEvery - 1) {
        await checkEverything(world)
        say(`${run.done} operations`)
      }
    }
    await sweepHolds(run)
    await checkEverything(world)
  } catch (error) {
    throw describeViolation(run, null, error)
  } finally {
    await world.close()
  }
  return { operations: run.done, byKind: run.byKind, races: run.races }
}

async function runTurn(run: RunState, org: SimOrg, random: Random): Promise<void> {
  const { world } = run
  const now = world.clock.now()
  try {
    for (let left = OPERATIONS_PER_TURN; left > 0 && !run.isOver; ) {
      const which = random() < 0.5 ? 0 : 1
      const drawn = drawStep(random, org, now, world.bug.focus)
      const step =
        drawn === 'rail' ? await drawProviderStep(world, world.replicas[which], random, org) : drawn
      for (const { kind } of step) run.byKind.set(kind, (run.byKind.get(kind) ?? 0) + 1)
      run.done += step.length || 1
      left -= step.length || 1
      if (step.length > 1) await race(run, org, step, which, now)
      else if (step[0]) await runOne(run, org, step[0], world.replicas[which], now)
      org.wallet.clearUndo()
    }
  } catch (error) {
    run.isOver = true
    throw describeViolation(run, org, error)
  }
}

async function runOne(
  { world }: RunState,
  org: SimOrg,
  op: Op,
  replica: TestServer,
  now: Date,
): Promise<void> {
  org.note(toText(op))
  const observed = await execute(world, replica, org, op)
  const expected = org.applyToModel(op, now)
  if (!isEqual(observed, expected))
    throw new Violation(`${toText(op)} returned ${toText(observed)}, expected ${toText(expected)}`)
}

async function race(run: RunState, org: SimOrg, ops: readonly Op[], which: number, now: Date): Promise<void> {
  const { replicas, sql } = run.world
  run.races++
  org.note(`at once: ${ops.map(toText).join(' ')}`)
  const racers = await Promise.all(
    ops.map(async (op, i) => {
      const replica = replicas[(which + i) % 2] as TestServer
      return { op, observed: await execute(run.world, replica, org, op) }
    }),
  )
  const journal = await journalOf(sql, org.orgId, org.wallet.entries.length)
  const references = ops.flatMap((op) => ('reference' in op ? [op.reference] : []))
  const payments = references.length > 0 ? await paymentsNamed(sql, references) : []
  if (findOrder(org, racers, { journal, payments }, now)) return
  const results = racers.map(({ op, observed }) => `${toText(op)} returned ${toText(observed)}`)
  const moved = journal.map(({ kind, ref }) => `${kind} ${ref}`)
  throw new Violation(
    `no order of these operations gives this result:\n${results.join('\n')}\nthe journal says: ${moved.join(', ') || 'nothing'}`,
  )
}

/** Compares all new postings of every wallet. */
async function compareJournals({ world: { sql, orgs } }: RunState): Promise<void> {
  const rows = await journalSince(
    sql,
    orgs.map(({ orgId, checked }) => ({ orgId, seq: checked })),
  )
  const byOrg = Map.groupBy(rows, ({ orgId }) => orgId)
  for (const org of orgs) named(org, () => checkJournal(org, byOrg.get(org.orgId) ?? []))
}

/** Advances the clock. Mostly, sweeps follow. */
async function advanceTime(run: RunState, random: Random): Promise<void> {
  const { world } = run
  const by = chooseWeighted(random, { seconds: 35, minutes: 30, hours: 18, days: 14 })
  world.clock.advance({
    seconds: 11,
    [by]: Math.ceil(random() * { seconds: 50, minutes: 40, hours: 30, days: 40 }[by]),
  })
  for (const org of world.orgs) org.asked.clear()
  if (random() < 0.7) await sweepHolds(run)
  if (random() < 0.7) await sweepTrials(run)
  if (random() < 0.3) await sweepRail(run)
}

/** Both replicas sweep concurrently. Each due hold expires once. */
async function sweepHolds(run: RunState): Promise<void> {
  const { world } = run
  const now = world.clock.now()
  await Promise.all(world.replicas.map(({ app }) => expireDueHolds(app)))
  await applySweep(run, (org) => {
    const due = [...org.wallet.open.keys()].filter((ref) => org.wallet.holdOf(ref).deadline <= now)
    return due.map((ref) => [ref, { kind: 'expire', ref }])
  })
  const [overdue] = await overdueHolds(world.sql, now)
  if (overdue) throw new Violation(`${overdue.id} is open after its deadline`)
}

/** Both replicas expire the same trial credits. */
async function sweepTrials(run: RunState): Promise<void> {
  const { replicas, clock } = run.world
  const now = clock.now()
  await Promise.all(replicas.map(({ app }) => expireDueTrials(app)))
  await applySweep(run, ({ wallet: { trial } }) =>
    trial !== null && trial.expiresAt <= now ? [[trial.id, { kind: 'expireTrial' }]] : [],
  )
}

/** Both replicas poll the fake provider about every undecided top-up. */
async function sweepRail(run: RunState): Promise<void> {
  const { world } = run
  const asked = new Map(
    world.orgs.map((org) => [org, org.recent.rail.filter((each) => isAskedAbout(org, each))]),
  )
  await makeDue(world.sql, [...asked.values()].flat(), world.clock.now())
  await Promise.all(world.replicas.map(({ app }) => sweepPayments(app)))
  await applySweep(run, (org) =>
    (asked.get(org) ?? []).map((reference) => [
      reference,
      { kind: 'providerStatus', reference, answer: org.providerStatusOf(reference) },
    ]),
  )
}

function isAskedAbout(org: SimOrg, reference: string): boolean {
  const { status, isDecided } = org.payments.of(reference)
  return !isDecided && status !== 'settled' && status !== 'review'
}

async function applySweep(run: RunState, dueOf: (org: SimOrg) => [string, Op][]): Promise<void> {
  const { sql, orgs, clock } = run.world
  const rows = await journalSince(
    sql,
    orgs.map(({ orgId, checked }) => ({ orgId, seq: checked })),
  )
  const byOrg = Map.groupBy(rows, ({ orgId }) => orgId)
  for (const org of orgs)
    named(org, () => {
      const journal = byOrg.get(org.orgId) ?? []
      org.note(`swept: ${journal.map(({ ref }) => ref).join(' ')}`)
      const problem = applyJournalOrder(org, new Map(dueOf(org)), journal, clock.now())
      if (problem) throw new Violation(problem)
      org.wallet.clearUndo()
      checkJournal(org, journal)
    })
}

function named(org: SimOrg, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof Violation
      ? new Violation(`${org.name}: ${error.message}\n${org.trace.join('\n')}`)
      : error
  }
}

/** Adds the command to reproduce the violation. An unexpected exception counts as a violation. */
function describeViolation({ seed, done, world }: RunState, org: SimOrg | null, error: unknown): Violation {
  if (error instanceof Violation && error.message.startsWith('seed ')) return error
  const again = `npm run sim -- --seed ${seed} --orgs ${world.orgs.length} --operations ${done}`
  const where = org ? `${org.name}, its last steps:\n${org.trace.join('\n')}\n` : ''
  const what = error instanceof Violation ? error.message : `an operation failed: ${stackOf(error)}`
  return new Violation(`seed ${seed}, near operation ${done} (${again}): ${where}${what}`)
}

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

const mix = (seed: number, round: number, org: number): number =>
  Math.imul(Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ (round * 2_654_435_761 + org), 0xc2b2ae35) >>> 0
