// Runs several processes of the service that listen on one port, and replaces those that die. They are replicas of each other: all that
// they share is in the database. The kernel divides the connections. The cluster module of Node would hand them out itself, and a client whose
// connection is on the way to a process that dies would wait for ever.
import { type ChildProcess, fork as forkProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import {
  argumentOf,
  type FromWorker,
  isMessage,
  type Ready,
  type Supervision,
  type ToWorker,
  type WorkerMetrics,
} from './messages.ts'

export type SupervisorOptions = {
  readonly count: number
  readonly program: string
  readonly embeddedUrl: string | null
  readonly log: Log
}

export type Supervisor = {
  /** Resolves when every process listens. Rejects with `StartFailed` if one ends before. */
  readonly ready: Promise<Ready>
  /** Asks all processes to stop, and resolves when they have ended. */
  stop(): Promise<void>
  /** Ends all processes at once. */
  kill(): void
}

/** A process ended before it listened. It has printed why. */
export class StartFailed extends Error {
  readonly exitCode: number
  constructor(exitCode: number) {
    super('A process of the service could not start.')
    this.exitCode = exitCode
  }
}

const BACKOFF_FIRST_MS = 200
const BACKOFF_MAX_MS = 10_000
/** A process that ran this long resets the backoff. */
const STABLE_MS = 60_000
const METRICS_TIMEOUT_MS = 2_000

export function supervise({ count, program, embeddedUrl, log }: SupervisorOptions): Supervisor {
  const workers = new Map<string, ChildProcess>()
  const stopping = new AbortController()
  const ended: Promise<void>[] = []
  /** Known when the first process listens, where any port is wanted. */
  let port: number | null = null

  /** Rejects if the process ends before it listens. */
  async function fork(slot: string): Promise<{ worker: ChildProcess; ready: Ready }> {
    if (stopping.signal.aborted) throw new StartFailed(0)
    const supervision: Supervision = { slot, embeddedUrl, port }
    const worker = forkProcess(program, [argumentOf(supervision)])
    workers.set(slot, worker)
    const listening = new Promise<Ready>((resolve) => {
      worker.on('message', (message: unknown) => {
        if (!isMessage<FromWorker>(message)) return
        if ('ready' in message) resolve(message.ready)
        else answer(worker, message)
      })
    })
    const exited = once(worker, 'exit').then(([code]) => {
      if (workers.get(slot) === worker) workers.delete(slot)
      if (stopping.signal.aborted) throw new StartFailed(0)
      throw new StartFailed(typeof code === 'number' && code !== 0 ? code : 1)
    })
    const ready = await Promise.race([listening, exited])
    exited.catch(() => undefined)
    return { worker, ready }
  }

  /** Replaces the process of the slot until the service stops. */
  async function keep(slot: string, first: ChildProcess): Promise<void> {
    let failures = 0
    for (let worker: ChildProcess | null = first; !stopping.signal.aborted; ) {
      const startedMs = performance.now()
      if (worker && isRunning(worker)) await once(worker, 'exit')
      if (stopping.signal.aborted) return
      failures = performance.now() - startedMs > STABLE_MS ? 1 : failures + 1
      const retryMs = failures === 1 ? 0 : Math.min(BACKOFF_FIRST_MS * 2 ** (failures - 2), BACKOFF_MAX_MS)
      log.error({ worker: slot, retryMs }, 'process.worker.ended')
      await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      worker = await fork(slot).then(
        (forked) => forked.worker,
        () => null,
      )
      if (worker) log.info({ worker: slot }, 'process.worker.replaced')
    }
  }

  async function startAll(): Promise<Ready> {
    const slots = Array.from({ length: count }, (_, index) => String(index + 1))
    const [firstSlot = '1', ...others] = slots
    // The first one migrates the database, while the others would only wait.
    const first = await fork(firstSlot)
    port = Number(new URL(first.ready.address).port)
    const rest = await Promise.all(others.map(async (slot) => ({ slot, ...(await fork(slot)) })))
    for (const { slot, worker } of [{ slot: firstSlot, ...first }, ...rest]) ended.push(keep(slot, worker))
    return first.ready
  }

  let lastId = 0
  const printing = new Map<number, (text: string) => void>()

  function answer(worker: ChildProcess, message: Exclude<FromWorker, { ready: Ready }>): void {
    if ('metrics' in message) printing.get(message.id)?.(message.metrics)
    else void collect().then((all) => send(worker, { all, id: message.id }))
  }

  /** The metrics of the processes that answer in time. */
  async function collect(): Promise<WorkerMetrics[]> {
    const found = await Promise.all(
      [...workers].map(async ([slot, worker]): Promise<WorkerMetrics[]> => {
        const id = ++lastId
        const text = new Promise<string>((resolve) => printing.set(id, resolve))
        send(worker, { isPrinting: true, id })
        const late = pause(METRICS_TIMEOUT_MS, null, { ref: false })
        const printed = await Promise.race([text, late])
        printing.delete(id)
        return printed === null ? [] : [{ worker: slot, text: printed }]
      }),
    )
    return found.flat()
  }

  return {
    ready: startAll(),
    async stop() {
      stopping.abort()
      const running = [...workers.values()].filter(isRunning)
      await Promise.all(
        running.map((worker) => {
          const exit = once(worker, 'exit')
          worker.kill('SIGTERM')
          return exit
        }),
      )
      await Promise.all(ended)
    },
    kill() {
      stopping.abort()
      for (const worker of workers.values()) worker.kill('SIGKILL')
    },
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** A process that ends meanwhile needs no message. */
function send(worker: ChildProcess, message: ToWorker): void {
  if (worker.connected) worker.send(message, () => undefined)
}

/** Processes that share a port do not notice another service on it. Rejects as `listen` would. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer().listen({ port, host })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
