// Starts several replicas behind a proxy, restarts those that die, and reslots them one by one without downtime.
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ProxyServer, startProxy } from './proxy.ts'
import { type ReplicaProcess, startReplicaProcess } from './replica-process.ts'

const SERVICE = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** The time that a draining replica has for its open requests. The rest is refused with Retry-After. */
const DRAIN_MS = 15_000
const READY_MS = 60_000
const BACKOFF_MS = 250
const BACKOFF_MS_MAX = 10_000
const STABLE_AFTER_MS = 30_000

export type ClusterOptions = {
  readonly replicas: number
  /** Port of the proxy; 0 for any free port. */
  readonly port: number
  /** Environment variables of every replica. */
  readonly variables: (address: string) => Readonly<Record<string, string>>
  readonly program?: string
  /** A replica that ran this long resets its restart backoff. */
  readonly stableAfterMs?: number
  readonly say?: (line: string) => void
  /** Receives each line of output of a replica. */
  readonly onOutput?: (replica: string, line: string) => void
}

export type Replica = { readonly name: string; readonly address: string; readonly pid: number }

export type Cluster = {
  /** The address of the proxy, which clients use. */
  readonly address: string
  readonly proxy: ProxyServer
  /** The running replicas. */
  replicas(): Replica[]
  /**
   * Rolling restart: each new replica is ready before the old one drains. Replicas run the given program, and with the given
   * variables beside those of the start, from now on.
   */
  restart(change?: { program?: string; variables?: Readonly<Record<string, string>> }): Promise<void>
  close(): Promise<void>
}

type ReplicaSlot = { readonly name: string; process: ReplicaProcess | null; deaths: number }

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { replicas, port, stableAfterMs = STABLE_AFTER_MS } = options
  const { say = () => undefined, onOutput = () => undefined } = options
  const proxy = await startProxy({ port })
  const { backends } = proxy
  const ending = new AbortController()
  const slots: ReplicaSlot[] = Array.from({ length: replicas }, (_, i) => ({
    name: `replica ${i + 1}`,
    process: null,
    deaths: 0,
  }))
  let variables = {
    // All clients come through the proxy, which sets their address.
    TRUST_PROXY: '1',
    // Time for the proxy to notice a draining replica, also if another process stopped it.
    SERVICE_DRAIN_SECONDS: '2',
    ...options.variables(proxy.address),
    HOST: '127.0.0.1',
    PORT: '0',
  }
  let turn: Promise<unknown> = Promise.resolve()
  let program = options.program ?? SERVICE

  async function start(slot: ReplicaSlot): Promise<void> {
    const startedMs = performance.now()
    const process = await startReplicaProcess(program, variables, (line) => onOutput(slot.name, line))
    if (ending.signal.aborted) return process.stop()
    await backends.add(process.address)
    slot.process = process
    say(`${slot.name} listens at ${process.address} (pid ${process.pid})`)
    void process.exited.then(() => {
      backends.remove(process.address)
      if (slot.process !== process || ending.signal.aborted) return
      slot.process = null
      slot.deaths = performance.now() - startedMs > stableAfterMs ? 1 : slot.deaths + 1
      say(`${slot.name} (pid ${process.pid}) died and will be restarted`)
      void restartWithBackoff(slot)
    })
  }

  async function restartWithBackoff(slot: ReplicaSlot): Promise<void> {
    while (!ending.signal.aborted) {
      const waitMs = Math.min(BACKOFF_MS * 2 ** (slot.deaths - 1), BACKOFF_MS_MAX)
      await pause(waitMs, undefined, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
      try {
        return await start(slot)
      } catch (error) {
        slot.deaths++
        say(`${slot.name}: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  async function replace(slot: ReplicaSlot): Promise<void> {
    const old = slot.process
    // It died and is already being restarted.
    if (!old) return
    await start(slot)
    const isOver = await backends.leave(old.address, DRAIN_MS)
    if (!isOver) say(`${slot.name} is stopped with open requests that take longer than ${DRAIN_MS / 1_000} s`)
    await old.stop()
  }

  async function waitUntilReady(): Promise<void> {
    const endMs = performance.now() + READY_MS
    while (backends.ready < replicas && performance.now() < endMs) await pause(20)
  }

  async function close(): Promise<void> {
    ending.abort()
    await turn
    await proxy.close()
    await Promise.all(slots.map(({ process }) => process?.stop()))
  }

  try {
    // The first replica migrates the database before the others start.
    for (const slot of slots.slice(0, 1)) await start(slot)
    await Promise.all(slots.slice(1).map(start))
    await waitUntilReady()
  } catch (error) {
    await close()
    throw error
  }

  return {
    address: proxy.address,
    proxy,
    replicas: () =>
      slots.flatMap(({ name, process }) =>
        process ? [{ name, address: process.address, pid: process.pid }] : [],
      ),
    restart(change = {}) {
      // Concurrent calls run one after the other.
      const restarted = turn.then(async () => {
        program = change.program ?? program
        variables = { ...variables, ...change.variables }
        for (const slot of slots) if (!ending.signal.aborted) await replace(slot)
        await waitUntilReady()
      })
      turn = restarted.catch((error) => say(`the rolling restart failed: ${error}`))
      return restarted
    },
    close,
  }
}
