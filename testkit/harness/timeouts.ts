// Time limits of tests, in proportion to how busy the machine is: what takes a second alone takes five among five.
import { availableParallelism, loadavg } from 'node:os'

/** Beyond this something else is wrong, and waiting longer does not help. */
const FACTOR_MAX = 10

/** How many processes want each core. The last minute counts: a load that has just begun is not seen at once. */
const crowd = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/** `ms` on a quiet machine, longer on a busy one. */
export const scaledTimeout = (ms: number): number =>
  Math.ceil(ms * Math.min(FACTOR_MAX, Math.max(1, crowd())))
