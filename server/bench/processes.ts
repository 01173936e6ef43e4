// Servers and load generators as processes of their own, asked one question at a time.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** `liveBytes` is what is still reachable: the flag --expose-gc lets a process look. */
export type Usage = { cpuMicros: number; rssBytes: number; liveBytes: number }

export type BenchProcess = {
  /** Sends one question and waits for its answer. The process answers in the order it is asked. */
  ask<Answer>(question: string | object, timeoutMs?: number): Promise<Answer>
  stop(): Promise<void>
}

/** What the measured servers are asked. `go` lets the streams that wait send their frames. */
export type Question = 'port' | 'usage' | 'memory' | 'go'

type Reply = { answerQuestions: unknown } | { failure: string }

const ANSWER_MS = 30_000
const STOP_MS = 20_000

/** What a started process gets of our own environment: nothing that configures the service. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, LANG, NODE_COMPILE_CACHE }
}

/** Starts a file of this folder. Its standard output goes nowhere, as a log does that somebody else keeps. */
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
  const gone = once(child, 'exit').then(([code, signal]) =>
    Promise.reject(new Error(`${file} ended by itself (${signal ?? code})`)),
  )
  gone.catch(() => undefined)

  return {
    async ask<Answer>(question: string | object, timeoutMs = ANSWER_MS): Promise<Answer> {
      const heard = once(child, 'message', { signal: AbortSignal.timeout(timeoutMs) })
      child.send(question)
      const [reply] = (await Promise.race([heard, gone])) as [Reply]
      if ('failure' in reply) throw new Error(`${file}: ${reply.failure}`)
      return reply.answerQuestions as Answer
    },
    stop: () => end(child),
  }
}

/** Answers the questions of the process that started this one, and ends when it goes away. */
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

/** What this process has cost so far; with `precisely`, garbage is collected first. */
export function processUsage(precisely: boolean): Usage {
  if (precisely) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { cpuMicros: user + system, rssBytes: rss, liveBytes: heapUsed + external }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) })
  if (child.connected) child.disconnect()
  await gone.catch(() => child.kill('SIGKILL'))
}
