// What a job is to the module that declares it: what it does and how stubborn it is.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../app.ts'

/** One attempt at a job, as its kind sees it. */
export type JobAttempt<P = unknown> = {
  readonly id: string
  readonly payload: P
  /** 1 for the first. */
  readonly attempt: number
  readonly org: OrgId | null
  /** Higher than that of any earlier attempt at this job; see `holdsLease`. */
  readonly fence: bigint
  /** Aborts when the attempt takes too long, its lease is lost or this replica stops. */
  readonly signal: AbortSignal
}

export type JobKind<P = unknown> = {
  /** The module and the verb: 'mail.send'. */
  readonly name: string
  /**
   * Does the work. It is done at least once: a crash after the work and before its record repeats it, so what it
   * changes must be safe to repeat. Throwing fails the attempt.
   */
  run(app: App, work: JobAttempt<P>): Promise<void>
  /** After so many failed attempts the job is dead and stays for inspection. Default 8. */
  readonly attempts?: number
  /** The pause after the first failure, doubled for each further one, with jitter. Default 1 s up to 10 min. */
  readonly backoff?: Backoff
  /** How many of this kind may run at once for one organisation, on all replicas together. Never exceeded. */
  readonly perOrg?: number
  /** An attempt that takes longer is aborted and has failed. Default 60 s. */
  readonly timeoutMs?: number
  /** Runs for minutes: such kinds together leave part of the replica to the quick ones. */
  readonly slow?: boolean
  /**
   * Waits for machines that are not ours: the kinds of one crew have a few workers of their own beside all the others, so
   * that however long they wait, nobody waits with them.
   */
  readonly pool?: string
  /** How many workers its crew has here, where a few are not enough for work that mostly waits. */
  readonly poolSize?: number
}

export type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** A job that recurs. Occurrences lie on whole multiples of the interval since 1970, so a daily one runs at 00:00 UTC. */
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

/** How long to wait after a failed attempt: between half of the doubled pause and all of it. */
export function retryDelayMs({ firstMs, maxMs }: Backoff, attempt: number, random: () => number): number {
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1))
  return Math.round(full * (0.5 + random() / 2))
}
