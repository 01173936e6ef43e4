// Timeouts of tests: those of the service that a slow machine must not reach, and waits in proportion to the load of the machine.
import { availableParallelism, loadavg } from 'node:os'
import type { ServiceTimeouts } from '@cowrie/server/src/service.ts'

const GENEROUS_MS = 60_000

/** Timeouts that a slow machine does not reach. A test whose subject is a timeout sets its own. */
export const GENEROUS_TIMEOUTS = {
  statementTimeoutMs: GENEROUS_MS,
  connectTimeoutMs: GENEROUS_MS,
  lockTimeoutMs: GENEROUS_MS,
  poolWaitMs: GENEROUS_MS,
  idleInTransactionMs: GENEROUS_MS,
  rateStoreTimeoutMs: GENEROUS_MS,
} as const satisfies Required<ServiceTimeouts>

/** The same limits in the URL, for programs that tests start as they are. */
export function withGenerousTimeouts(url: string): string {
  const [address = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('connect_timeout', String(GENEROUS_MS / 1_000))
  for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    parameters.set(name, String(GENEROUS_MS))
  return `${address}?${parameters}`
}

/** The limit: beyond this load, waiting longer does not help. */
const FACTOR_MAX = 10

/** Runnable processes per core, averaged over the last minute. A new load shows up late. */
const crowd = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/** `ms` on an idle machine, longer on a busy one. */
export const scaledTimeout = (ms: number): number =>
  Math.ceil(ms * Math.min(FACTOR_MAX, Math.max(1, crowd())))
