// Limits requests per host: one new request a second, two at the same time. Also limits the pages that are fetched at
// the same time in total, because all of them are held in the memory of this process.
import { PageRefused } from './page.ts'

export type Timer = {
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Calls `then` once after that time. Returns a function that cancels it. */
  readonly after: (ms: number, then: () => void) => () => void
}

const INTERVAL_MS = 1_000
const OPEN_AT_HOST_MAX = 2
const OPEN_MAX = 24
/** A longer queue would exceed `queueMs` before the turn of the last request. */
const WAITING_MAX = 20
const HOSTS_MAX = 1_000

type Waiter = { readonly intervalMs: number; readonly start: () => void }
type Host = {
  open: number
  startedAt: number
  intervalMs: number
  waiting: Waiter[]
  wake: (() => void) | null
}

export type HostTurn = {
  readonly host: string
  readonly delayMs: number
  /** False for allowlisted hosts, which have no limit per host. */
  readonly isThrottled: boolean
  readonly signal: AbortSignal
}
export type HostLimiter = {
  /** Waits for a slot at the host. The returned function releases it. */
  readonly acquire: (turn: HostTurn) => Promise<() => void>
}

export type LimiterOptions = {
  readonly hostsMax?: number
  readonly openMax?: number
  readonly intervalMs?: number
  readonly openAtHostMax?: number
}

export function createHostLimiter(
  timer: Timer,
  {
    hostsMax = HOSTS_MAX,
    openMax = OPEN_MAX,
    intervalMs = INTERVAL_MS,
    openAtHostMax = OPEN_AT_HOST_MAX,
  }: LimiterOptions = {},
): HostLimiter {
  const hosts = new Map<string, Host>()
  // Hosts that are due but wait for the total limit, in order.
  const ready = new Set<Host>()
  let open = 0

  function advance(host: Host): void {
    host.wake?.()
    host.wake = null
    const next = host.waiting[0]
    if (!next || host.open >= openAtHostMax) return
    const dueMs = host.startedAt + next.intervalMs - timer.now()
    if (dueMs > 0) {
      host.wake = timer.after(dueMs, () => advance(host))
      return
    }
    if (open >= openMax) {
      ready.add(host)
      return
    }
    open++
    host.waiting.shift()
    Object.assign(host, { open: host.open + 1, startedAt: timer.now(), intervalMs: next.intervalMs })
    next.start()
    advance(host)
  }

  function release(host: Host): void {
    open--
    host.open--
    // A host that still finds no slot queues again in the same order.
    const next = [...ready, host]
    ready.clear()
    for (const each of next) advance(each)
  }

  function getHost(name: string): Host {
    const known = hosts.get(name)
    if (known) return known
    if (hosts.size >= hostsMax) deleteIdleHosts(hosts, timer.now())
    if (hosts.size >= hostsMax) throw new PageRefused('timeout')
    const host = newHost()
    hosts.set(name, host)
    return host
  }

  return {
    acquire: async ({ host: name, delayMs, isThrottled, signal }) => {
      signal.throwIfAborted()
      const host = isThrottled ? getHost(name) : newHost()
      if (host.waiting.length >= WAITING_MAX) throw new PageRefused('timeout')
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          host.waiting = host.waiting.filter((each) => each !== waiter)
          advance(host)
          reject(signal.reason)
        }
        const start = () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        }
        const waiter = { intervalMs: Math.max(intervalMs, delayMs), start }
        signal.addEventListener('abort', giveUp, { once: true })
        host.waiting.push(waiter)
        advance(host)
      })
      return () => release(host)
    },
  }
}

const newHost = (): Host => ({ open: 0, startedAt: -Infinity, intervalMs: 0, waiting: [], wake: null })

/** Deletes hosts without requests whose interval has passed: a new entry would behave the same. */
function deleteIdleHosts(hosts: Map<string, Host>, now: number): void {
  for (const [name, { open, waiting, startedAt, intervalMs }] of hosts)
    if (open === 0 && waiting.length === 0 && now >= startedAt + intervalMs) hosts.delete(name)
}
