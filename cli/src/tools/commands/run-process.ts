// Starts a command, collects its output and ends it: at its time limit, when it prints without end, or when the user stops it.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { BoundedOutput } from './bounded-output.ts'
import type { Launch } from './sandbox/sandbox.ts'

export type ProcessResult = {
  readonly outcome: 'exited' | 'timed_out' | 'stopped' | 'flooded' | 'failed'
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly durationMs: number
  /** Why it could not be started. */
  readonly reason: string | null
}

export type RunningProcess = {
  readonly output: BoundedOutput
  /** The error output of a program. For a command of the shell, only that of the sandbox. */
  errors(): string
  readonly ended: Promise<ProcessResult>
  stop(): void
}

export type ProcessOptions = {
  readonly timeoutMs: number | null
  readonly signal?: AbortSignal
  readonly onOutput?: ((text: string) => void) | undefined
  readonly input?: string
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
/** More is not shown while the command runs. */
const SHOWN_BYTES_MAX = 2 * 1024 * 1024
const CLOSE_MS = 2_000
const ERRORS_MAX = 2_000

export function startProcess(launch: Launch, options: ProcessOptions): RunningProcess {
  const startedAt = performance.now()
  const output = new BoundedOutput()
  let errors = ''
  let stopped: ProcessResult['outcome'] | null = null
  let kill: () => void = () => undefined
  const stopAs = (outcome: ProcessResult['outcome']) => {
    stopped ??= outcome
    kill()
  }
  const ended = new Promise<ProcessResult>((resolve) => {
    const { signal, timeoutMs, onOutput, input } = options
    const child = spawn(launch.program, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      // Its own process group: Ctrl-C of the terminal does not reach it, and all of it can be killed.
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...closedDescriptors()],
    })
    kill = () => killGroup(child)
    const forget = killAtExit(kill)
    const timer = timeoutMs === null ? undefined : setTimeout(() => stopAs('timed_out'), timeoutMs)
    const stop = () => stopAs('stopped')
    signal?.addEventListener('abort', stop, { once: true })
    const decoder = new StringDecoder('utf8')
    child.stdout?.on('data', (chunk: Buffer) => {
      output.add(chunk)
      if (output.totalBytes <= SHOWN_BYTES_MAX) onOutput?.(decoder.write(chunk))
      if (output.totalBytes > OUTPUT_BYTES_MAX) stopAs('flooded')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(0, ERRORS_MAX)
    })
    child.stdin?.on('error', () => undefined)
    if (input !== undefined) child.stdin?.end(input)
    let isOver = false
    const end = (result: Omit<ProcessResult, 'durationMs'>) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      forget()
      const whole = { ...result, durationMs: Math.round(performance.now() - startedAt) }
      const released = launch.release?.() ?? Promise.resolve()
      released.then(
        () => resolve(whole),
        () => resolve(whole),
      )
    }
    child.on('error', (error) =>
      end({ outcome: 'failed', exitCode: null, signal: null, reason: error.message }),
    )
    const finish = (exitCode: number | null, name: NodeJS.Signals | null) => {
      // The error output of the command is joined to its output: this is of the sandbox.
      const isOfSandbox = launch.joinsErrors === true && output.totalBytes === 0 && errors.trim() !== ''
      const isFailed = stopped === null && exitCode !== 0 && isOfSandbox
      const reason = isFailed ? errors.trim() : null
      end({ outcome: isFailed ? 'failed' : (stopped ?? 'exited'), exitCode, signal: name, reason })
    }
    child.on('exit', (exitCode, name) => {
      // Processes that it left behind keep its output open.
      killGroup(child, true)
      setTimeout(() => finish(exitCode, name), CLOSE_MS).unref()
    })
    child.on('close', finish)
    if (signal?.aborted) stop()
  })
  return { output, errors: () => errors, ended, stop: () => stopAs('stopped') }
}

const alive = new Set<() => void>()

/** Calls `kill` if this program ends before the returned function is called. */
export function killAtExit(kill: () => void): () => void {
  if (alive.size === 0) process.on('exit', killAll)
  alive.add(kill)
  return () => {
    alive.delete(kill)
    if (alive.size === 0) process.removeListener('exit', killAll)
  }
}

function killAll(): void {
  for (const kill of alive) kill()
}

/** Kills the process and all others of its group. A sandbox ends with its first process. */
export function killGroup(child: ChildProcess, isAfterExit = false): void {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || (!isAfterExit && (exitCode !== null || signalCode !== null))) return
  if (process.platform === 'win32') {
    child.kill()
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

let strays: readonly 'ignore'[] | null = null

/**
 * Files that this program inherited open would be passed on to every command. Each becomes /dev/null. Node.js closes those that it
 * opened itself.
 */
export function closedDescriptors(): readonly 'ignore'[] {
  strays ??= Array.from({ length: Math.max(2, ...inherited()) - 2 }, () => 'ignore')
  return strays
}

const DESCRIPTORS_MAX = 256

function inherited(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && descriptor < DESCRIPTORS_MAX && staysOpen(descriptor))
  } catch {
    return []
  }
}

const CLOSE_ON_START = 0o2000000

function staysOpen(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')
    return (Number.parseInt(/^flags:\s+([0-7]+)/m.exec(info)?.[1] ?? '0', 8) & CLOSE_ON_START) === 0
  } catch {
    return false
  }
}
