// Several replicas behind one address: started, watched, brought back when they die, and replaced one by one without a gap.
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ProxyServer, startProxy } from './proxy.ts'
import { type ReplicaProcess, startReplicaProcess } from './replica-process.ts'

const SERVICE = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** How long a replica that leaves may take for the requests it has; what is left is told to come again. */
const LEAVE_MS = 15_000
const READY_MS = 60_000
const BACKOFF_MS = 250
const BACKOFF_MS_MAX = 10_000
const LIVED_MS = 30_000

export type ClusterOptions = {
  readonly replicas: number
  /** Of the proxy; 0 for any. */
  readonly port: number
  /** The environment of every replica. */
  readonly variables: (address: string) => Readonly<Record<string, string>>
  readonly program?: string
  /** A replica that lived so long had a good start: its death is the first one again. */
  readonly stableAfterMs?: number
  readonly say?: (line: string) => void
  /** What the replicas print themselves. */
  readonly onOutput?: (replica: string, line: string) => void
}

export type Replica = { readonly name: string; readonly address: string; readonly pid: number }

export type Cluster = {
  /** Of the proxy: the only one that clients know. */
  readonly address: string
  readonly proxy: ProxyServer
  /** Those that live right now. */
  replicas(): Replica[]
  /** Every replica in turn: the new one is ready before the old one leaves. */
  restart(): Promise<void>
  close(): Promise<void>
}

type ReplicaSlot = { readonly name: string; gateway: ReplicaProcess | null; deaths: number }

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { replicas, port, program = SERVICE, stableAfterMs: livedMs = LIVED_MS } = options
  const { say = () => undefined, onOutput: heard = () => undefined } = options
  const proxy = await startProxy({ port })
  const { backends } = proxy
  const ending = new AbortController()
  const places: ReplicaSlot[] = Array.from({ length: replicas }, (_, i) => ({
    name: `replica ${i + 1}`,
    gateway: null,
    deaths: 0,
  }))
  const variables = {
    // Clients come through the proxy alone, which says who they are.
    TRUST_PROXY: '1',
    // Time for the proxy to hear that one is going, also when it was not told by us.
    SERVICE_DRAIN_SECONDS: '2',
    ...options.variables(proxy.address),
    HOST: '127.0.0.1',
    PORT: '0',
  }
  let turn: Promise<unknown> = Promise.resolve()

  async function start(place: ReplicaSlot): Promise<void> {
    const bornMs = performance.now()
    const gateway = await startReplicaProcess(program, variables, (line) => heard(place.name, line))
    if (ending.signal.aborted) return gateway.stop()
    await backends.add(gateway.address)
    place.gateway = gateway
    say(`${place.name} listens at ${gateway.address} (pid ${gateway.pid})`)
    void gateway.exited.then(() => {
      backends.remove(gateway.address)
      if (place.gateway !== gateway || ending.signal.aborted) return
      place.gateway = null
      place.deaths = performance.now() - bornMs > livedMs ? 1 : place.deaths + 1
      say(`${place.name} (pid ${gateway.pid}) died; it is started again`)
      void restartWithBackoff(place)
    })
  }

  async function restartWithBackoff(place: ReplicaSlot): Promise<void> {
    while (!ending.signal.aborted) {
      const waitMs = Math.min(BACKOFF_MS * 2 ** (place.deaths - 1), BACKOFF_MS_MAX)
      await pause(waitMs, undefined, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
      try {
        return await start(place)
      } catch (error) {
        place.deaths++
        say(`${place.name}: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  async function replace(place: ReplicaSlot): Promise<void> {
    const old = place.gateway
    // It is being brought back as it is.
    if (!old) return
    await start(place)
    const isOver = await backends.leave(old.address, LEAVE_MS)
    if (!isOver)
      say(`${place.name} is told to stop with requests that take longer than ${LEAVE_MS / 1_000} s`)
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
    await Promise.all(places.map(({ gateway }) => gateway?.stop()))
  }

  try {
    // The first one migrates the database; the others find it ready.
    for (const place of places.slice(0, 1)) await start(place)
    await Promise.all(places.slice(1).map(start))
    await waitUntilReady()
  } catch (error) {
    await close()
    throw error
  }

  return {
    address: proxy.address,
    proxy,
    replicas: () =>
      places.flatMap(({ name, gateway }) =>
        gateway ? [{ name, address: gateway.address, pid: gateway.pid }] : [],
      ),
    restart() {
      // One at a time, however often it is asked for.
      const restarted = turn.then(async () => {
        for (const place of places) if (!ending.signal.aborted) await replace(place)
        await waitUntilReady()
      })
      turn = restarted.catch((error) => say(`the restart stopped half way: ${error}`))
      return restarted
    },
    close,
  }
}
