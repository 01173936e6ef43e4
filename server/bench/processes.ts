// Starts servers and load generators as child processes and sends them one question at a time.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** `liveBytes`: reachable memory, which a process can measure with --expose-gc. */
export type Usage = { cpuMicros: number; rssBytes: number; liveBytes: number }

export type BenchProcess = {
  /** Sends one question and waits for its answer. The process answers in order. */
  ask<Answer>(question: string | object, timeoutMs?: number): Promise<Answer>
  stop(): Promise<void>
}

/** Questions to a measured server. `go` lets waiting streams send their frames. */
export type Question = 'port' | 'usage' | 'memory' | 'go'

type Reply = { answerQuestions: unknown } | { failure: string }

const ANSWER_MS = 30_000
const STOP_MS = 20_000

/** The variables that a child process inherits. None of them configures the service. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE }
}

/** Starts a program, by its path below this folder. Its standard output is discarded. */
export function start(
  file: string,
  variables: Record<string, string | undefined> = {},
  flags: string[] = [],
): BenchProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc', ...flags],
    env: { ...inheritedEnvironment(), ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`${file} ended unexpectedly (${signal ?? code})`)),
  )
  exited.catch(() => undefined)

  return {
    async ask<Answer>(question: string | object, timeoutMs = ANSWER_MS): Promise<Answer> {
      const message = once(child, 'message', { signal: AbortSignal.timeout(timeoutMs) })
      child.send(question)
      const [reply] = (await Promise.race([message, exited])) as [Reply]
      if ('failure' in reply) throw new Error(`${file}: ${reply.failure}`)
      return reply.answerQuestions as Answer
    },
    stop: () => end(child),
  }
}

/** Answers the questions of the parent process. Ends when the parent disconnects. */
export function answer(reply: (question: never) => unknown, close: () => unknown = () => undefined): void {
  process.on('message', async (question) => {
    try {
      process.send?.({ answerQuestions: (await reply(question as never)) ?? null } satisfies Reply)
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? error.message : String(error) } satisfies Reply)
    }
  })
  process.once('disconnect', async () => {
    await close()
    process.exit(0)
  })
}

/** CPU and memory of this process so far. `precisely` collects garbage first. */
export function processUsage(precisely: boolean): Usage {
  if (precisely) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { cpuMicros: user + system, rssBytes: rss, liveBytes: heapUsed + external }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) })
  if (child.connected) child.disconnect()
  await exited.catch(() => child.kill('SIGKILL'))
}
