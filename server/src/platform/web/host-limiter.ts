// Manners: a host hears from this process once a second and no more than twice at the same time. And only so many pages are
// fetched at once, whoever wants them: each may be large, and all of them lie in the memory of one process.
import { PageRefused } from './page.ts'

export type Timer = {
  /** Milliseconds from some beginning; they only grow. */
  readonly now: () => number
  /** Calls once after that time, unless it is called off. */
  readonly after: (ms: number, then: () => void) => () => void
}

const INTERVAL_MS = 1_000
const OPEN_AT_HOST_MAX = 2
const OPEN_MAX = 24
/** Who would stand behind so many would be out of patience before his turn. */
const WAITING_MAX = 20
const HOSTS_MAX = 1_000

type Waiter = { readonly betweenMs: number; readonly start: () => void }
type Host = {
  open: number
  startedAt: number
  betweenMs: number
  waiting: Waiter[]
  wake: (() => void) | null
}

export type HostTurn = {
  readonly host: string
  readonly delayMs: number
  /** Whether the host has to be treated with manners; the operator's own need not be. */
  readonly isThrottled: boolean
  readonly signal: AbortSignal
}
export type HostLimiter = {
  /** One's turn at a host, which lasts until `leave` is called. */
  readonly acquire: (turn: HostTurn) => Promise<() => void>
}

type Bounds = { readonly hostsMax?: number; readonly openMax?: number }

export function createHostLimiter(
  timer: Timer,
  { hostsMax = HOSTS_MAX, openMax = OPEN_MAX }: Bounds = {},
): HostLimiter {
  const hosts = new Map<string, Host>()
  // Hosts whose turn has come and for which there was no place, in that order.
  const ready = new Set<Host>()
  let open = 0

  function advance(host: Host): void {
    host.wake?.()
    host.wake = null
    const next = host.waiting[0]
    if (!next || host.open >= OPEN_AT_HOST_MAX) return
    const dueMs = host.startedAt + next.betweenMs - timer.now()
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
    Object.assign(host, { open: host.open + 1, startedAt: timer.now(), betweenMs: next.betweenMs })
    next.start()
    advance(host)
  }

  function leave(host: Host): void {
    open--
    host.open--
    // Who still finds no place lines up again, so the order stays.
    const next = [...ready, host]
    ready.clear()
    for (const each of next) advance(each)
  }

  function hostNamed(name: string): Host {
    const known = hosts.get(name)
    if (known) return known
    if (hosts.size >= hostsMax) deleteIdleHosts(hosts, timer.now())
    if (hosts.size >= hostsMax) throw new PageRefused('timeout')
    const host = newHost()
    hosts.set(name, host)
    return host
  }

  return {
    acquire: async ({ host: name, delayMs, isThrottled: isThrottled, signal }) => {
      signal.throwIfAborted()
      const host = isThrottled ? hostNamed(name) : newHost()
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
        const waiter = { betweenMs: Math.max(INTERVAL_MS, delayMs), start }
        signal.addEventListener('abort', giveUp, { once: true })
        host.waiting.push(waiter)
        advance(host)
      })
      return () => leave(host)
    },
  }
}

const newHost = (): Host => ({ open: 0, startedAt: -Infinity, betweenMs: 0, waiting: [], wake: null })

/** Hosts that nobody talks to and that could be asked at once are as good as unknown. */
function deleteIdleHosts(hosts: Map<string, Host>, now: number): void {
  for (const [name, { open, waiting, startedAt, betweenMs }] of hosts)
    if (open === 0 && waiting.length === 0 && now >= startedAt + betweenMs) hosts.delete(name)
}
