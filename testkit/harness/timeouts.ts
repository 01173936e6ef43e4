// Test timeouts in proportion to the load of the machine.
import { availableParallelism, loadavg } from 'node:os'

/** The limit: beyond this load, waiting longer does not help. */
const FACTOR_MAX = 10

/** Runnable processes per core, averaged over the last minute. A new load shows up late. */
const crowd = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/** `ms` on an idle machine, longer on a busy one. */
export const scaledTimeout = (ms: number): number =>
  Math.ceil(ms * Math.min(FACTOR_MAX, Math.max(1, crowd())))
