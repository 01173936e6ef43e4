// A cluster whose replicas are killed and restarted, and a model upstream that keeps running.
import { fileURLToPath } from 'node:url'
import { startCluster } from '../cluster/cluster.ts'
import { startReplicaProcess } from '../cluster/replica-process.ts'

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url))
const UPSTREAM = fileURLToPath(new URL('models/upstream-process.ts', import.meta.url))
const RESTART_MS = 120_000

export type Replicas = {
  /** The address of the proxy. */
  address(): Promise<string>
  /** Kills one replica with SIGKILL. Resolves when its replacement is ready. */
  killOne(random: () => number): Promise<void>
  /** Replaces every replica, one after the other. */
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
    // Only this run kills replicas, so a quick death needs no backoff.
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
  const endMs = performance.now() + RESTART_MS
  while (!holds()) {
    if (performance.now() > endMs) throw new Error('a killed replica did not restart')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
