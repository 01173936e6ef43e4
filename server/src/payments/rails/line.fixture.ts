// A line for tests of one rail without the whole server around it: real calls, to this machine only.
import { type Clock, ManualClock } from '../../kernel/clock.ts'
import { type Line, lineBy } from './line.ts'

/** Gives up soon: what a test asks is next door or not there at all. */
export const testLine = (clock: Clock = new ManualClock(), timeoutMs = 2_000): Line =>
  lineBy(clock, { loopbackAllowed: true, timeoutMs })
