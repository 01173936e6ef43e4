// Monitors a run: time limit, output limit and cancellation. Then determines its result.

import { type BootstrapNotes, extractProblem, saysDiskFull } from './bootstrap.ts'
import { BoundedOutput } from './bounded-output.ts'
import type { CommandLimits, CommandRun } from './command-run.ts'

export type RunMonitor = {
  /** A chunk of the command's output. */
  addOutput(chunk: Buffer): void
  /** A chunk of the sandbox's own notes. */
  addNotes(chunk: Buffer): void
  notes(): string
  /** Ends the monitoring; nothing is stopped after this. */
  close(): MonitoredRun
}

export type MonitoredRun = {
  readonly stopped: 'timed_out' | 'cancelled' | 'output' | 'memory' | null
  readonly output: string
  readonly durationMs: number
}

export type ProcessExit = { readonly exitCode: number | null; readonly problem?: string }

type MonitorOptions = {
  readonly limits: CommandLimits
  readonly signal: AbortSignal
  /** Kills the run. Called at most once. */
  readonly stop: () => void
  /** Measures the memory in use, if nothing else limits it. */
  readonly memoryBytes?: (() => number) | undefined
}

const NOTES_BYTES = 16 << 10
const MEASURE_MS = 50

export function monitorRun({ limits, signal, stop, memoryBytes }: MonitorOptions): RunMonitor {
  const startedAt = performance.now()
  const output = new BoundedOutput()
  const notes = new BoundedOutput(NOTES_BYTES)
  let stopped: MonitoredRun['stopped'] = null
  const stopFor = (why: NonNullable<MonitoredRun['stopped']>) => {
    if (stopped !== null) return
    stopped = why
    stop()
  }
  const cancel = () => stopFor('cancelled')
  const timer = setTimeout(() => stopFor('timed_out'), limits.wallClockMs)
  const meter =
    memoryBytes && setInterval(() => memoryBytes() > limits.memoryBytes && stopFor('memory'), MEASURE_MS)
  signal.addEventListener('abort', cancel, { once: true })
  // The signal may have fired during the setup; it does not fire again.
  if (signal.aborted) cancel()
  const add = (to: BoundedOutput) => (chunk: Buffer) => {
    to.add(chunk)
    if (output.totalBytes + notes.totalBytes > limits.outputBytes) stopFor('output')
  }
  return {
    addOutput: add(output),
    addNotes: add(notes),
    notes: () => notes.text(),
    close() {
      clearTimeout(timer)
      clearInterval(meter)
      signal.removeEventListener('abort', cancel)
      return { stopped, output: output.text(), durationMs: Math.round(performance.now() - startedAt) }
    },
  }
}

/**
 * If the command never started, the failure is ours. Otherwise a reached limit takes precedence over the exit code: a
 * run at a limit proves nothing.
 */
export function toMonitoredResult(watch: RunMonitor, ending: ProcessExit, notes: BootstrapNotes): CommandRun {
  const { stopped, output, durationMs } = watch.close()
  const { exitCode } = ending
  const run = { exitCode, limit: null, output, durationMs }
  if (stopped === 'cancelled') return { ...run, outcome: 'cancelled', exitCode: null }
  if (ending.problem !== undefined || !notes.isReady)
    return {
      ...run,
      outcome: 'failed',
      reason: ending.problem ?? describeSetupProblem(watch.notes(), exitCode),
    }
  if (stopped === 'output') return { ...run, outcome: 'limit', limit: 'output', exitCode: null }
  if (notes.isOverMemory || stopped === 'memory') return { ...run, outcome: 'limit', limit: 'memory' }
  if (notes.isOverProcesses) return { ...run, outcome: 'limit', limit: 'processes' }
  if (stopped === 'timed_out') return { ...run, outcome: 'timed_out', exitCode: null }
  if (notes.isDiskFull || (exitCode !== 0 && saysDiskFull(output)))
    return { ...run, outcome: 'limit', limit: 'disk' }
  return { ...run, outcome: 'exited', exitCode: exitCode ?? 137 }
}

const describeSetupProblem = (notes: string, exitCode: number | null): string =>
  `the sandbox could not be set up (${exitCode ?? 'killed'}): ${extractProblem(notes).slice(0, 500)}`
