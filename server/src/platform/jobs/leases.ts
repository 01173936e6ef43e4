// Extends the leases of running jobs, and interrupts jobs whose lease cannot be extended.
import { after } from '../../kernel/clock.ts'
import type { App } from '../app.ts'
import { describeError, Interruption } from './attempt.ts'
import type { JobKind } from './job-kind.ts'
import { type ClaimedJob, extendLeases } from './sql.ts'

export type RunningJob = {
  readonly job: ClaimedJob
  readonly kind: JobKind
  readonly interrupt: AbortController
  leaseEndsAt: Date
  /** Resolves when its outcome is recorded; never rejects. */
  done: Promise<void>
}

export type LeaseTimes = { readonly leaseSeconds: () => number; readonly graceSeconds: () => number }

// Below a third of the shortest lease in the settings, so that a changed setting takes effect before a lease ends.
const HEARTBEAT_MS_MAX = 3_000
const HEARTBEAT_MS_MIN = 50

/** Returns a function to call when a job starts. The heartbeat stops when no job runs. */
export function createHeartbeat(
  app: () => App,
  running: ReadonlySet<RunningJob>,
  times: LeaseTimes,
): () => void {
  let isRenewing = false
  let isExtending = false
  const beatMs = () =>
    Math.min(HEARTBEAT_MS_MAX, Math.max(HEARTBEAT_MS_MIN, (times.leaseSeconds() * 1000) / 3))

  function ensureBeating(): void {
    if (isRenewing) return
    isRenewing = true
    setTimeout(beat, beatMs()).unref()
  }

  function beat(): void {
    isRenewing = false
    if (running.size === 0) return
    interruptExpiring()
    if (!isExtending) void extend()
    ensureBeating()
  }

  // Interrupts a job before its lease ends, so that even without a grace period no other worker runs it concurrently.
  function interruptExpiring(): void {
    const nextBeatAt = after(app().clock.now(), { ms: beatMs() })
    for (const { leaseEndsAt, interrupt } of running)
      if (leaseEndsAt < nextBeatAt)
        interrupt.abort(new Interruption('lost', 'the lease could not be extended'))
  }

  async function extend(): Promise<void> {
    isExtending = true
    try {
      await extendAll()
    } catch (error) {
      app().log.warn({ reason: describeError(error), jobs: running.size }, 'jobs.lease.renew_failed')
    } finally {
      isExtending = false
    }
  }

  async function extendAll(): Promise<void> {
    const lease = { seconds: times.leaseSeconds() }
    const grace = { seconds: times.graceSeconds() }
    // A lease is extended after a third of its duration.
    const extendedBefore = after(app().clock.now(), { seconds: (lease.seconds * 2) / 3 })
    const held = [...running].filter(
      (each) => !each.interrupt.signal.aborted && each.leaseEndsAt <= extendedBefore,
    )
    if (held.length === 0) return
    await app().db.tx('platform', async (tx) => {
      const leaseEndsAt = after(tx.now, lease)
      const jobs = held.map(({ job }) => job)
      const extended = await extendLeases(tx, jobs, after(leaseEndsAt, grace))
      const fences = new Map(extended.map(({ id, fence }) => [id, fence]))
      tx.afterCommit(() => {
        for (const each of held)
          if (fences.get(each.job.id) === each.job.fence) each.leaseEndsAt = leaseEndsAt
      })
    })
  }

  return ensureBeating
}
