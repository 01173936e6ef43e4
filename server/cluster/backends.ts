// The replicas behind the proxy: which of them can work, how many requests each has, and whose turn it is.
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 500
const LOOK_MS_MAX = 5_000
/** One bad answer may be that of a busy machine; after so many in a row it is believed. */
const DOUBTS_MAX = 2
const REQUESTS_MAX = 2_000
const IDLE_LOOK_MS = 20

export type Backend = {
  readonly address: URL
  /** It answers, and says that it can work. */
  isReady: boolean
  /** It answers at all. */
  isReachable: boolean
  /** It is going to stop: it keeps what it has and gets no more. */
  isLeaving: boolean
  failedChecks: number
  requests: number
}

export type Backends = {
  /** Resolves once it has answered; whether it is ready is looked at for as long as it is here. */
  add(address: string): Promise<void>
  /** No more requests for this one. True when those it had are over, false when they took too long. */
  leave(address: string, patienceMs: number): Promise<boolean>
  remove(address: string): void
  /** Whose turn it is, of those that were not tried yet. */
  next(tried: ReadonlySet<Backend>): Backend | undefined
  /** It did not take a connection. */
  markUnreachable(backend: Backend): void
  readonly ready: number
  close(): void
}

export function createBackends(): Backends {
  const all = new Map<string, Backend>()
  let turn = 0
  let isClosed = false

  async function checkBackend(backend: Backend): Promise<void> {
    const verdict = await checkReadiness(backend.address)
    // It has its hands full, which says nothing new about it.
    if (verdict === 'limited') return
    backend.isReachable = verdict !== 'away'
    backend.failedChecks = verdict === 'ready' ? 0 : backend.failedChecks + 1
    if (verdict === 'ready') backend.isReady = true
    else if (verdict !== 'doubtful' || backend.failedChecks >= DOUBTS_MAX) backend.isReady = false
    if (verdict === 'leaving') backend.isLeaving = true
  }

  async function watch(name: string, backend: Backend): Promise<void> {
    while (!isClosed && all.get(name) === backend) {
      await pause(LOOK_EVERY_MS, undefined, { ref: false })
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
        ...{ isReady: false, isThere: false, isLeaving: false, doubts: 0, requests: 0 },
      }
      await checkBackend(backend)
      all.set(address, backend)
      void watch(address, backend)
    },
    async leave(address, patienceMs) {
      const backend = all.get(address)
      if (!backend) return true
      backend.isLeaving = true
      const endMs = performance.now() + patienceMs
      while (backend.requests > 0 && performance.now() < endMs) await pause(IDLE_LOOK_MS)
      return backend.requests === 0
    },
    remove: (address) => void all.delete(address),
    next(tried) {
      const there = candidates(tried)
      const ready = there.filter(({ isReady }) => isReady)
      // Where nobody is ready, whoever answers says best what is wrong and when to come again.
      const choice = ready.length > 0 ? ready : there
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

type Readiness = 'ready' | 'limited' | 'leaving' | 'doubtful' | 'away'

async function checkReadiness(address: URL): Promise<Readiness> {
  try {
    const answer = await fetch(new URL('/readyz', address), {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(LOOK_MS_MAX),
    })
    if (answer.status === 429) return 'limited'
    const body: unknown = await answer.json()
    if (answer.ok) return 'ready'
    const isLeaving =
      typeof body === 'object' && body !== null && 'code' in body && body.code === 'restarting'
    return isLeaving ? 'leaving' : 'doubtful'
  } catch (error) {
    return isRefused(error) ? 'away' : 'doubtful'
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'
