// Time-outs of tests, in proportion to how busy the machine is: what takes a second alone takes five among five.
import { availableParallelism, loadavg } from 'node:os'

/** How many processes want each core, at least one. The last minute counts: a load that has just begun is not seen at once. */
const crowd = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

/** `ms` on a quiet machine, longer on a busy one. */
export const patience = (ms: number): number => Math.ceil(ms * crowd())
