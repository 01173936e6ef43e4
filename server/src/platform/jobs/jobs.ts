// Background jobs: the public API for the rest of the server.
import { assert } from '../../kernel/assert.ts'
import type { App } from '../app.ts'
import type { Tx } from '../db/tx.ts'
import { withTrace } from '../log/trace-context.ts'
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
  /** Whether slow kinds are claimed. Runs can be paused while mail and housekeeping continue. */
  readonly slowEnabled: () => boolean
  readonly concurrency?: number
  readonly slowConcurrency?: number
  readonly poolConcurrency?: number
  readonly pollMs?: number
  /** How long `stop` waits before it interrupts running jobs. */
  readonly stopMs?: number
  readonly graceMs?: number
  readonly random?: () => number
  readonly observe?: (seen: { name: string; outcome: JobResult; seconds: number }) => void
}

const DRAINED_MAX = 10_000
const POOL_WORKERS = 4

/**
 * Whether this attempt still holds the lease of its job. The answer holds until the transaction ends: check it in the transaction
 * that writes the result of a long job, so that a worker that lost its lease cannot write it. The transaction needs the scope of
 * the organisation, or platform scope.
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
    graceMs: options.graceMs ?? 5_000,
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

  /** Serialised, because two concurrent claims would count the same free capacity. */
  function fillInTurn(isWanted: () => boolean): Promise<number> {
    // Scheduled jobs must not join the trace of the work that woke the worker.
    const filled = withTrace(undefined, () => turn.then(fill))
    async function fill() {
      isTurnQueued = false
      if (!isWanted()) return 0
      await fireSchedules()
      return worker.fill()
    }
    turn = filled.catch(() => undefined)
    return filled
  }

  function wake(): void {
    if (!started || isTurnQueued) return
    isTurnQueued = true
    void fillInTurn(() => started).then(logRecovery, logFailure)
  }

  // An outage is logged once, not every second. Polling continues.
  function logFailure(error: unknown): void {
    if (!isFailing) app().log.warn({ reason: describeError(error) }, 'jobs.claim.failed')
    isFailing = true
  }

  function logRecovery(): void {
    if (isFailing) app().log.info({}, 'jobs.claim.recovered')
    isFailing = false
  }

  function poll(): void {
    wake()
    // Jitter, so that replicas that started together do not poll together.
    timer = setTimeout(poll, pollMs * (0.75 + settings.random() / 2)).unref()
  }

  const isKnownKind = (name: string | null) => name === null || name === SWEEP || names.includes(name)

  return {
    kinds: names,
    get running() {
      return worker.running.size
    },
    start() {
      assert(!started, 'jobs are started once')
      started = true
      unlisten = app().db.listen('jobs', (name) => isKnownKind(name) && wake())
      poll()
    },
    async stop() {
      started = false
      clearTimeout(timer)
      unlisten()
      await turn
      const timeout = setTimeout(() => worker.interruptAll(), stopMs)
      await allDone(worker.running)
      clearTimeout(timeout)
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
    assert(names.includes(job), `schedule ${name} names a declared kind of job`)
    assert(
      Number.isInteger(everySeconds) && everySeconds > 0,
      `schedule ${name} has an interval of whole seconds`,
    )
  }
}
