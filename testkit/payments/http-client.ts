// A line for tests of one rail without the whole server around it: real calls, to this machine only.
import { type Clock, ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import { type HttpClient, httpClientWith } from '@cowrie/server/src/payments/rails/http-client.ts'

/** Patient: what a test asks is next door or not there at all, and a busy machine takes its time for either. */
export const testHttp = (clock: Clock = new ManualClock(), timeoutMs = 30_000): HttpClient =>
  httpClientWith(clock, { loopbackAllowed: true, timeoutMs })

/** Gives up on who never answers, and not before the question is there: an answer that nobody takes waits for the next. */
export const shortTimeoutHttp = (clock?: Clock): HttpClient => testHttp(clock, 2_000)
