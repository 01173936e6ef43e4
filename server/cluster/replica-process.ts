// Starts one replica as a child process. It reports its address and exits with its parent.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { withTimeout } from '../src/platform/db/embedded/timeouts.ts'

const START_MS = 120_000
/** Longer than the graceful shutdown of the service. */
const STOP_MS = 30_000
const TAIL_CHARACTERS_MAX = 4_000

export type ReplicaProcess = {
  readonly address: string
  readonly pid: number
  readonly exited: Promise<unknown>
  /** The end of its output. */
  tail(): string
  /** Graceful shutdown; SIGKILL after a timeout. */
  stop(): Promise<void>
}

/** A replica inherits nothing that configures the service. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export async function startReplicaProcess(
  program: string,
  variables: Readonly<Record<string, string>>,
  onOutput: (line: string) => void,
): Promise<ReplicaProcess> {
  const child = fork(program, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...inherited(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In a separate session, so that Ctrl-C reaches only the parent, which stops the replicas in order.
    detached: true,
  })
  let tail = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL_CHARACTERS_MAX)
      for (const line of text.split('\n')) if (line.trim()) onOutput(line)
    })
  const exited = once(child, 'exit')
  const listening = once(child, 'message').then(([message]) => addressIn(message))
  const failed = exited.then(() => null)
  // Null if the process exits before it listens; undefined after the timeout.
  const address = await withTimeout(START_MS, Promise.race([listening, failed]))
  if (!address) {
    child.kill('SIGKILL')
    throw new Error(`a replica did not start:\n${tail.trim()}`)
  }
  return {
    address,
    pid: child.pid ?? 0,
    exited,
    tail: () => tail.trim(),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      if ((await withTimeout(STOP_MS, exited)) === undefined) child.kill('SIGKILL')
      await exited
    },
  }
}

const addressIn = (message: unknown): string | null =>
  typeof message === 'object' &&
  message !== null &&
  'address' in message &&
  typeof message.address === 'string'
    ? message.address
    : null
