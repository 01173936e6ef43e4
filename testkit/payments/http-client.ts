// An HTTP client for tests of one rail without a server. It makes real calls to localhost.
import { type Clock, ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import { type HttpClient, httpClientWith } from '@cowrie/server/src/payments/rails/http-client.ts'

/** The long timeout keeps tests stable on a busy machine. */
export const testHttp = (clock: Clock = new ManualClock(), timeoutMs = 30_000): HttpClient =>
  httpClientWith(clock, { loopbackAllowed: true, timeoutMs })

/** For fakes that never reply. Still long enough for the request to arrive, which consumes its scripted reply. */
export const shortTimeoutHttp = (clock?: Clock): HttpClient => testHttp(clock, 2_000)
