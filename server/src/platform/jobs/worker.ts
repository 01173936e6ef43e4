// The worker of a replica: claims jobs up to its capacity, runs them and records their outcomes.
import { present } from '../../kernel/assert.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../app.ts'
import { parseTraceparent } from '../log/tracing.ts'
import { type AttemptOutcome, attemptJob, describeError, Interruption } from './attempt.ts'
import { type ClaimedJobs, claim } from './claim.ts'
import { DEFAULTS, type JobKind } from './job-kind.ts'
import { createHeartbeat, type LeaseTimes, type RunningJob } from './leases.ts'
import { type JobResult, recordOutcome } from './settle.ts'
import type { ClaimedJob } from './sql.ts'

export type WorkerOptions = LeaseTimes & {
  /** The maximum number of concurrent jobs, and how many of them may be slow. */
  readonly concurrency: number
  readonly slowConcurrency: number
  /** Additional concurrent jobs for each pool. */
  readonly poolConcurrency: number
  readonly slowEnabled: () => boolean
  /** How long an interrupted job may take to end. */
  readonly graceMs: number
  readonly random: () => number
  readonly observe: (seen: { name: string; outcome: JobResult; seconds: number }) => void
}

export type Worker = {
  /** Claims due jobs until none is left or the capacity is used. Returns the number of due jobs. */
  fill(): Promise<number>
  /** Whether the last fill may have left due jobs behind for lack of capacity. */
  readonly hasBacklog: boolean
  readonly running: ReadonlySet<RunningJob>
  interruptAll(): void
}

/** The kinds and number of jobs that may be claimed now. `restricted`: due jobs may be left behind. */
type Capacity = { readonly names: readonly string[]; readonly limit: number; readonly restricted: boolean }

const CLAIMS_MAX = 1_000
const SETTLE_TRIES_MAX = 5
const SETTLE_PAUSE_MS = 200

export function createWorker(
  app: () => App,
  kinds: readonly JobKind[],
  options: WorkerOptions,
  onEnd: (name: string) => void,
): Worker {
  const worker = newId('wrk')
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const common = kinds.filter(({ pool }) => pool === undefined)
  const commonNames = common.map(({ name }) => name)
  const quick = common.filter(({ slow }) => !slow).map(({ name }) => name)
  const pools = Map.groupBy(
    kinds.filter(({ pool }) => pool !== undefined),
    ({ pool }) => pool,
  )
  const perOrg = new Map(
    kinds.flatMap(({ name, perOrg }) => (perOrg === undefined ? [] : [[name, perOrg] as const])),
  )
  const running = new Set<RunningJob>()
  const heartbeat = createHeartbeat(app, running, options)
  let hasBacklog = false

  async function fill(): Promise<number> {
    hasBacklog = false
    let found = await fillUp(commonCapacity)
    for (const [pool, members] of pools) {
      found += await fillUp(() => poolCapacity(pool, members))
    }
    return found
  }

  async function fillUp(capacity: () => Capacity): Promise<number> {
    let found = 0
    for (let claims = 0; claims < CLAIMS_MAX; claims++) {
      const { names, limit, restricted } = capacity()
      hasBacklog ||= restricted
      if (names.length === 0 || limit <= 0) return found
      const claimed = await claimUpTo(names, limit)
      for (const job of claimed.jobs) launch(job, claimed.leaseEndsAt)
      found += claimed.found
      if (claimed.found < limit) return found
    }
    hasBacklog = true
    return found
  }

  /** A claim that includes slow kinds is limited to the capacity for slow kinds, so it cannot exceed it. */
  function commonCapacity(): Capacity {
    const active = [...running].filter(({ kind }) => kind.pool === undefined)
    const free = options.concurrency - active.length
    const slowFree = options.slowConcurrency - active.filter(({ kind }) => kind.slow).length
    if (quick.length === common.length || !options.slowEnabled())
      return { names: quick, limit: free, restricted: free <= 0 }
    if (slowFree <= 0) return { names: quick, limit: free, restricted: true }
    return { names: commonNames, limit: Math.min(free, slowFree), restricted: free <= 0 }
  }

  function poolCapacity(pool: string | undefined, members: readonly JobKind[]): Capacity {
    const enabled = members.filter(({ slow }) => !slow || options.slowEnabled())
    const names = enabled.map(({ name }) => name)
    const size = Math.max(...members.map(({ poolSize }) => poolSize ?? options.poolConcurrency))
    const free = size - [...running].filter(({ kind }) => kind.pool === pool).length
    return { names, limit: free, restricted: free <= 0 }
  }

  function claimUpTo(names: readonly string[], limit: number): Promise<ClaimedJobs> {
    const times = { leaseSeconds: options.leaseSeconds(), graceSeconds: options.graceSeconds() }
    return app().db.tx('platform', (tx) => claim(tx, { names, limit, worker, perOrg, ...times }))
  }

  function launch(job: ClaimedJob, leaseEndsAt: Date): void {
    const kind = present(byName.get(job.name), 'only known kinds are claimed')
    const entry: RunningJob = {
      job,
      kind,
      interrupt: new AbortController(),
      leaseEndsAt,
      done: Promise.resolve(),
    }
    running.add(entry)
    heartbeat()
    entry.done = perform(entry)
  }

  async function perform(entry: RunningJob): Promise<void> {
    const { job, kind, interrupt } = entry
    const startedAt = app().clock.now()
    const outcome: AttemptOutcome =
      job.attempt > (kind.attempts ?? DEFAULTS.attempts)
        ? { result: 'failed', error: 'The worker of the last attempt disappeared.' }
        : await attemptJob(app(), kind, job, interrupt, options.graceMs)
    const result = await record(entry, outcome)
    running.delete(entry)
    const seconds = (app().clock.now().getTime() - startedAt.getTime()) / 1000
    report(entry, outcome, result)
    options.observe({ name: kind.name, outcome: result, seconds })
    onEnd(kind.name)
  }

  /** While the database is down the lease may end. Another worker then runs the job again. */
  async function record({ job, kind, interrupt }: RunningJob, outcome: AttemptOutcome): Promise<JobResult> {
    for (let tries = 1; outcome.result !== 'lost'; tries++) {
      try {
        return await app().db.tx('platform', (tx) => recordOutcome(tx, kind, job, outcome, options.random))
      } catch (error) {
        const reason = describeError(error)
        app().log.warn({ job: job.id, name: job.name, tries, reason }, 'jobs.outcome.record_failed')
        if (tries === SETTLE_TRIES_MAX || isLost(interrupt.signal)) break
        await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS * 2 ** tries))
      }
    }
    return 'lost'
  }

  function report({ job, kind }: RunningJob, outcome: AttemptOutcome, result: JobResult): void {
    const trace = parseTraceparent(job.traceparent ?? undefined)
    const fields = {
      ...{ job: job.id, name: kind.name, attempt: job.attempt, orgId: job.org, ending: result },
      ...(trace && { trace_id: trace.traceId }),
    }
    if (outcome.result !== 'failed') {
      if (result === 'lost') app().log.warn(fields, 'jobs.lease.lost')
      else app().log.debug(fields, 'jobs.attempt.finished')
    } else if (result === 'dead') app().log.error({ ...fields, reason: outcome.error }, 'jobs.job.dead')
    else app().log.warn({ ...fields, reason: outcome.error }, 'jobs.attempt.failed')
  }

  return {
    fill,
    get hasBacklog() {
      return hasBacklog
    },
    running,
    interruptAll() {
      for (const { interrupt } of running)
        interrupt.abort(new Interruption('stopped', 'this replica is stopping'))
    },
  }
}

const isLost = ({ reason }: AbortSignal): boolean =>
  reason instanceof Interruption && reason.result === 'lost'
