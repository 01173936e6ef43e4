// The network and the timers that the page fetcher uses. Tests replace them.
import { connect } from 'node:net'
import type { Dial } from './connection.ts'
import type { Timer } from './host-limiter.ts'
import type { WebLimits } from './page.ts'
import { type ResolveHost, resolveHost } from './resolve-host.ts'

export type WebEnvironment = {
  readonly resolve: ResolveHost
  readonly dial: Dial
  readonly timer: Timer
  readonly limits: WebLimits
  /** The ports that are allowed on public hosts. */
  readonly ports: ReadonlySet<number>
}

export const WEB_ENVIRONMENT: WebEnvironment = {
  resolve: resolveHost,
  dial: connect,
  timer: {
    now: () => performance.now(),
    after: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
  },
  limits: {
    connectMs: 5_000,
    headersMs: 10_000,
    pageMs: 15_000,
    queueMs: 20_000,
    headerBytes: 16 * 1024,
    textBytes: 3 * 1024 * 1024,
    pdfBytes: 8 * 1024 * 1024,
    robotsBytes: 512 * 1024,
  },
  ports: new Set([80, 443]),
}
