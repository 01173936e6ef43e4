// One replica as a process of its own, which tells us where it listens and does not outlive us.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { withTimeout } from '../src/platform/db/embedded/timeouts.ts'

const START_MS = 120_000
/** A little more than the service gives itself to stop. */
const STOP_MS = 30_000
const TAIL_CHARACTERS_MAX = 4_000

export type ReplicaProcess = {
  readonly address: string
  readonly pid: number
  readonly exited: Promise<unknown>
  /** The last it wrote to stderr. */
  tail(): string
  /** Lets it end what it has; one that does not come to an end is killed. */
  stop(): Promise<void>
}

/** A replica reads the compiled code that earlier starts left, and nothing else of our environment. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export async function startReplicaProcess(
  program: string,
  variables: Readonly<Record<string, string>>,
  heard: (line: string) => void,
): Promise<ReplicaProcess> {
  const child = fork(program, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...inherited(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In a session of its own, Ctrl-C reaches us alone and we stop all of them in order.
    detached: true,
  })
  let tail = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL_CHARACTERS_MAX)
      for (const line of text.split('\n')) if (line.trim()) heard(line)
    })
  const exited = once(child, 'exit')
  const told = once(child, 'message').then(([message]) => addressIn(message))
  const gone = exited.then(() => null)
  // It ends before it says anything, or says nothing in time.
  const address = await withTimeout(START_MS, Promise.race([told, gone]))
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
