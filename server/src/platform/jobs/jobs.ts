// Background work: all that the rest of the server may do with it.
import { assert } from '../../kernel/assert.ts'
import type { App } from '../app.ts'
import type { Tx } from '../db/tx.ts'
import { describeError } from './attempt.ts'
import type { JobAttempt, JobKind, Schedule } from './job-kind.ts'
import type { JobQueue } from './job-queue.ts'
import type { LeaseTimes } from './leases.ts'
import { createScheduler } from './schedule.ts'
import type { JobResult } from './settle.ts'
import { countByState, isHeld } from './sql.ts'
import { SWEEP, sweepKind, sweepSchedule } from './sweep.ts'
import { createWorker } from './worker.ts'

export { type EnqueueOptions, enqueue } from './enqueue.ts'
export { type JobAttempt, type JobKind, job, type Schedule } from './job-kind.ts'

export type JobsOptions = LeaseTimes & {
  /** Whether slow kinds are taken: runs can be paused while mail and housekeeping go on. */
  readonly slowEnabled: () => boolean
  readonly concurrency?: number
  readonly slowConcurrency?: number
  readonly poolConcurrency?: number
  readonly pollMs?: number
  /** How long `stop` waits before it interrupts. */
  readonly stopMs?: number
  readonly patienceMs?: number
  readonly random?: () => number
  readonly observe?: (seen: { name: string; outcome: JobResult; seconds: number }) => void
}

const DRAINED_MAX = 10_000
const POOL_WORKERS = 4

/**
 * Whether this attempt still owns its job. Asked inside a transaction, the answer holds until its end: write the
 * result of long work together with this question, and a worker that was given up on can no longer write it. The
 * transaction needs the reach of the job's organisation, or the platform's.
 */
export function holdsLease(tx: Tx, work: Pick<JobAttempt, 'id' | 'fence'>): Promise<boolean> {
  return isHeld(tx, work)
}

export function createJobs(
  app: () => App,
  kinds: readonly JobKind[],
  schedules: readonly Schedule[],
  options: JobsOptions,
): JobQueue {
  const names = kinds.map(({ name }) => name)
  checkDeclarations(names, schedules)
  const { concurrency = 8, pollMs = 1_000, stopMs = 10_000 } = options
  const settings = {
    leaseSeconds: options.leaseSeconds,
    graceSeconds: options.graceSeconds,
    concurrency,
    slowEnabled: options.slowEnabled,
    slowConcurrency: options.slowConcurrency ?? Math.ceil(concurrency / 2),
    poolConcurrency: options.poolConcurrency ?? POOL_WORKERS,
    patienceMs: options.patienceMs ?? 5_000,
    random: options.random ?? Math.random,
    observe: options.observe ?? (() => undefined),
  }

  let ended = 0
  const worker = createWorker(app, [...kinds, sweepKind([...names, SWEEP])], settings, (name) => {
    if (name !== SWEEP) ended++
    if (worker.hasBacklog) wake()
  })
  const fireSchedules = createScheduler(app, [...schedules, sweepSchedule])

  let started = false
  let timer: NodeJS.Timeout | undefined
  let unlisten = () => {}
  let turn: Promise<unknown> = Promise.resolve()
  let isTurnQueued = false
  let isFailing = false

  /** One at a time, or two claims would count the same room twice. */
  function fillInTurn(isWanted: () => boolean): Promise<number> {
    const filled = turn.then(async () => {
      isTurnQueued = false
      if (!isWanted()) return 0
      await fireSchedules()
      return worker.fill()
    })
    turn = filled.catch(() => undefined)
    return filled
  }

  function wake(): void {
    if (!started || isTurnQueued) return
    isTurnQueued = true
    void fillInTurn(() => started).then(noteRecovery, noteFailure)
  }

  // An outage is told once, not once a second; polling goes on.
  function noteFailure(error: unknown): void {
    if (!isFailing) app().log.warn({ reason: describeError(error) }, 'jobs.claim.failed')
    isFailing = true
  }

  function noteRecovery(): void {
    if (isFailing) app().log.info({}, 'jobs.claim.recovered')
    isFailing = false
  }

  function poll(): void {
    wake()
    // Replicas that started together drift apart.
    timer = setTimeout(poll, pollMs * (0.75 + settings.random() / 2)).unref()
  }

  const isOurs = (name: string | null) => name === null || name === SWEEP || names.includes(name)

  return {
    kinds: names,
    get running() {
      return worker.running.size
    },
    start() {
      assert(!started, 'jobs are started once')
      started = true
      unlisten = app().db.listen('jobs', (name) => isOurs(name) && wake())
      poll()
    },
    async stop() {
      started = false
      clearTimeout(timer)
      unlisten()
      await turn
      const impatience = setTimeout(() => worker.interruptAll(), stopMs)
      await allDone(worker.running)
      clearTimeout(impatience)
    },
    async drain() {
      const before = ended
      while (true) {
        const found = await fillInTurn(() => true)
        await allDone(worker.running)
        if (found === 0) return ended - before
        assert(ended - before <= DRAINED_MAX, 'a drain comes to an end')
      }
    },
    count: () => app().db.tx('platform', countByState),
  }
}

const allDone = (running: Iterable<{ done: Promise<void> }>) =>
  Promise.all([...running].map(({ done }) => done))

function checkDeclarations(names: readonly string[], schedules: readonly Schedule[]): void {
  assert(new Set(names).size === names.length, 'each kind of job is declared once')
  assert(
    new Set(schedules.map(({ name }) => name)).size === schedules.length,
    'each schedule is declared once',
  )
  for (const { name, job, everySeconds } of schedules) {
    assert(names.includes(job), `schedule ${name} names a kind of job that exists`)
    assert(Number.isInteger(everySeconds) && everySeconds > 0, `schedule ${name} recurs after whole seconds`)
  }
}
