// How many operations share the next statement while many callers wait.

/** From this number of operations, waiting and in flight, sharing statements saves more time than waiting for the disk costs. */
export const CROWD = 24

/** A database works on one statement while this process prepares and reads the other. */
const STATEMENTS = 2

type Crowd = {
  /** Waiting operations on wallets that are not in flight. */
  readonly ready: number
  /** The sizes of the statements in flight. */
  readonly inFlight: readonly number[]
  /** Operations that were just answered. Their callers may be about to send the next ones. */
  readonly answered: number
}

/**
 * The number of operations in the next statement: half of all, so that two statements of equal size take turns. 0 when it is better
 * to wait for more, because a small statement costs nearly as much as a large one.
 */
export function crowdBatchSize({ ready, inFlight, answered }: Crowd): number {
  if (inFlight.length >= STATEMENTS) return 0
  if (2 * ready < Math.max(answered, ...inFlight)) return 0
  const all = inFlight.reduce((sum, size) => sum + size, ready + answered)
  return Math.min(ready, Math.ceil(all / STATEMENTS))
}
