// The replicas behind the proxy: their readiness, their open requests, and round-robin selection.
import { setTimeout as pause } from 'node:timers/promises'

const CHECK_EVERY_MS = 500
const CHECK_MS_MAX = 5_000
/** A single failed check may come from a busy machine. After this many in a row the replica is not ready. */
const FAILED_CHECKS_MAX = 2
const REQUESTS_MAX = 2_000
const DRAIN_POLL_MS = 20

export type Backend = {
  readonly address: URL
  /** Its readiness check passes. */
  isReady: boolean
  /** It accepts connections. */
  isReachable: boolean
  /** It is draining: it finishes its requests and gets no new ones. */
  isLeaving: boolean
  failedChecks: number
  requests: number
}

export type Backends = {
  /** Resolves after the first readiness check. The check repeats until the backend is removed. */
  add(address: string): Promise<void>
  /** Stops sending requests to this backend. True when its requests ended, false if they exceeded the timeout. */
  leave(address: string, timeoutMs: number): Promise<boolean>
  remove(address: string): void
  /** The next backend in turn, except those already tried. */
  next(tried: ReadonlySet<Backend>): Backend | undefined
  /** Records that it did not accept a connection. */
  markUnreachable(backend: Backend): void
  readonly ready: number
  close(): void
}

export function createBackends(): Backends {
  const all = new Map<string, Backend>()
  let turn = 0
  let isClosed = false

  async function checkBackend(backend: Backend): Promise<void> {
    const readiness = await checkReadiness(backend.address)
    // A rate-limited check gives no information about its state.
    if (readiness === 'limited') return
    backend.isReachable = readiness !== 'unreachable'
    backend.failedChecks = readiness === 'ready' ? 0 : backend.failedChecks + 1
    if (readiness === 'ready') backend.isReady = true
    else if (readiness !== 'failed' || backend.failedChecks >= FAILED_CHECKS_MAX) backend.isReady = false
    if (readiness === 'leaving') backend.isLeaving = true
  }

  async function watch(name: string, backend: Backend): Promise<void> {
    while (!isClosed && all.get(name) === backend) {
      await pause(CHECK_EVERY_MS, undefined, { ref: false })
      await checkBackend(backend)
    }
  }

  const candidates = (tried: ReadonlySet<Backend>) =>
    [...all.values()].filter(
      (each) => each.isReachable && !each.isLeaving && !tried.has(each) && each.requests < REQUESTS_MAX,
    )

  return {
    get ready() {
      return candidates(new Set()).filter(({ isReady }) => isReady).length
    },
    async add(address) {
      const backend = {
        address: new URL(address),
        ...{ isReady: false, isReachable: false, isLeaving: false, failedChecks: 0, requests: 0 },
      }
      await checkBackend(backend)
      all.set(address, backend)
      void watch(address, backend)
    },
    async leave(address, timeoutMs) {
      const backend = all.get(address)
      if (!backend) return true
      backend.isLeaving = true
      const endMs = performance.now() + timeoutMs
      while (backend.requests > 0 && performance.now() < endMs) await pause(DRAIN_POLL_MS)
      return backend.requests === 0
    },
    remove: (address) => void all.delete(address),
    next(tried) {
      const reachable = candidates(tried)
      const ready = reachable.filter(({ isReady }) => isReady)
      // If no backend is ready, a reachable one can still return the right error and Retry-After.
      const choice = ready.length > 0 ? ready : reachable
      return choice[turn++ % choice.length]
    },
    markUnreachable(backend) {
      backend.isReady = false
      backend.isReachable = false
    },
    close() {
      isClosed = true
      all.clear()
    },
  }
}

type Readiness = 'ready' | 'limited' | 'leaving' | 'failed' | 'unreachable'

async function checkReadiness(address: URL): Promise<Readiness> {
  try {
    const answer = await fetch(new URL('/readyz', address), {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(CHECK_MS_MAX),
    })
    if (answer.status === 429) return 'limited'
    const body: unknown = await answer.json()
    if (answer.ok) return 'ready'
    const isLeaving =
      typeof body === 'object' && body !== null && 'code' in body && body.code === 'restarting'
    return isLeaving ? 'leaving' : 'failed'
  } catch (error) {
    return isRefused(error) ? 'unreachable' : 'failed'
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'
