// The declaration of a job: its work, retries and limits.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../app.ts'

/** One attempt at a job, as its `run` function sees it. */
export type JobAttempt<P = unknown> = {
  readonly id: string
  readonly payload: P
  /** 1 for the first. */
  readonly attempt: number
  readonly org: OrgId | null
  /** The trace of the request or job that enqueued it. */
  readonly traceparent?: string | null
  /** Fencing token, higher than that of any earlier attempt at this job; see `holdsLease`. */
  readonly fence: bigint
  /** Aborts when the attempt takes too long, its lease is lost or this replica stops. */
  readonly signal: AbortSignal
}

export type JobKind<P = unknown> = {
  /** The module and the verb: 'mail.send'. */
  readonly name: string
  /**
   * Does the work, at least once: a crash after the work and before its record repeats it. It must therefore be idempotent.
   * Throwing fails the attempt.
   */
  run(app: App, work: JobAttempt<P>): Promise<void>
  /** After this many failed attempts the job is dead and kept for inspection. Default 8. */
  readonly attempts?: number
  /** Exponential backoff with jitter. Default 1 s up to 10 min. */
  readonly backoff?: Backoff
  /** The maximum number of concurrent jobs of this kind for one organisation, over all replicas. Never exceeded. */
  readonly perOrg?: number
  /** An attempt that takes longer is aborted and fails. Default 60 s. */
  readonly timeoutMs?: number
  /** Runs for minutes. Slow kinds together use only a part of the capacity of a replica. */
  readonly slow?: boolean
  /**
   * For jobs that wait for external systems: the kinds of one pool have separate workers, so that their waiting does not delay
   * other jobs.
   */
  readonly pool?: string
  /** The number of workers of its pool on a replica, when the default is not enough. */
  readonly poolSize?: number
}

export type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** A recurring job. It runs at whole multiples of the interval since 1970, so a daily one runs at 00:00 UTC. */
export type Schedule = {
  readonly name: string
  readonly job: string
  readonly everySeconds: number
  readonly payload?: unknown
}

export const DEFAULTS = {
  attempts: 8,
  backoff: { firstMs: 1_000, maxMs: 600_000 },
  timeoutMs: 60_000,
} as const

export function job<P>(name: string, rest: Omit<JobKind<P>, 'name'>): JobKind<P> {
  return { name, ...rest }
}

/** The delay after a failed attempt: a random value between half and all of the exponential backoff. */
export function retryDelayMs({ firstMs, maxMs }: Backoff, attempt: number, random: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1))
  return Math.round(full * (0.5 + random() / 2))
}
