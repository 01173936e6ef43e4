// A cluster of the service whose replicas die and come back, and an upstream behind it that stays.
import { fileURLToPath } from 'node:url'
import { startCluster } from '../cluster/cluster.ts'
import { startReplicaProcess } from '../cluster/replica-process.ts'

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url))
const UPSTREAM = fileURLToPath(new URL('models/upstream-process.ts', import.meta.url))
const BACK_MS = 120_000

export type Replicas = {
  /** The one address of all. */
  address(): Promise<string>
  /** kill -9 of one of them. Resolves when a new one is ready in its place. */
  killOne(random: () => number): Promise<void>
  /** Every replica is replaced in turn. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type UpstreamProcess = { readonly address: string; close(): Promise<void> }

export async function startUpstreamProcess(seed: number): Promise<UpstreamProcess> {
  const { address, stop } = await startReplicaProcess(UPSTREAM, { SEED: String(seed) }, () => undefined)
  return { address, close: stop }
}

export async function startReplicas(variables: Record<string, string>, count: number): Promise<Replicas> {
  const cluster = await startCluster({
    replicas: count,
    port: 0,
    program: PROGRAM,
    // They die of nothing but us.
    stableAfterMs: 0,
    variables: (address) => ({ SERVICE_BASE_URL: address, ...variables }),
  })
  return {
    address: async () => cluster.address,
    async killOne(random) {
      const alive = cluster.replicas()
      const victim = alive[Math.floor(random() * alive.length)]
      if (!victim) return
      process.kill(victim.pid, 'SIGKILL')
      await until(() => {
        const now = cluster.replicas()
        return now.length === count && now.every(({ pid }) => pid !== victim.pid)
      })
    },
    restart: () => cluster.restart(),
    close: () => cluster.close(),
  }
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = performance.now() + BACK_MS
  while (!holds()) {
    if (performance.now() > endMs) throw new Error('a replica that was killed did not come back')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
