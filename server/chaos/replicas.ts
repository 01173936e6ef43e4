// Two replicas of the service that die and come back, and an upstream behind them that stays.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url))
const UPSTREAM = fileURLToPath(new URL('upstream-process.ts', import.meta.url))
const START_MS = 60_000

export type Replica = { readonly address: string; readonly process: ChildProcess }

export type Replicas = {
  /** Where a call may go right now: any replica that lives, or the one that comes next. */
  address(): Promise<string>
  /** kill -9 of one of them, and a new one in its place. Resolves when that one listens. */
  killOne(random: () => number): Promise<void>
  close(): Promise<void>
}

export type UpstreamProcess = { readonly address: string; close(): Promise<void> }

export async function startUpstreamProcess(seed: number): Promise<UpstreamProcess> {
  const { address, process: child } = await startProcess(UPSTREAM, { SEED: String(seed) })
  return { address, close: () => kill(child) }
}

export async function startReplicas(variables: Record<string, string>, count: number): Promise<Replicas> {
  const starting = new Set<Promise<Replica>>()
  const alive: Replica[] = []
  let turn = 0

  async function start(): Promise<Replica> {
    const replica = startProcess(PROGRAM, variables)
    starting.add(replica)
    try {
      const up = await replica
      alive.push(up)
      return up
    } finally {
      starting.delete(replica)
    }
  }
  await Promise.all(Array.from({ length: count }, start))

  return {
    async address() {
      while (alive.length === 0) await Promise.race(starting)
      const next = alive[turn++ % alive.length]
      return next?.address ?? ''
    },
    async killOne(random) {
      const [victim] = alive.splice(Math.floor(random() * alive.length), 1)
      if (victim) await kill(victim.process)
      await start()
    },
    async close() {
      await Promise.allSettled(starting)
      await Promise.all(alive.splice(0).map((replica) => kill(replica.process)))
    },
  }
}

async function startProcess(program: string, variables: Record<string, string>): Promise<Replica> {
  const child = fork(program, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env.PATH ?? '', ...variables },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors = (errors + data).slice(-4_000)
  })
  const late = AbortSignal.timeout(START_MS)
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`a process ended at its start: ${errors}`)),
  )
  const [message] = (await Promise.race([once(child, 'message', { signal: late }), ended])) as [
    { address: string },
  ]
  ended.catch(() => undefined)
  return { address: message.address, process: child }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
