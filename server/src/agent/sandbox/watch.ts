// Keeps an eye on a run while it goes: its clock, its output and whether anybody still wants it. Then says what became of it.
import type { CommandLimits, CommandRun } from './command-run.ts'
import { type InsideNotes, problemIn, saysDiskFull } from './inside.ts'
import { KeptOutput } from './kept-output.ts'

export type Watch = {
  /** A piece of what the command printed. */
  hear(chunk: Buffer): void
  /** A piece of what the sandbox itself has to say. */
  note(chunk: Buffer): void
  notes(): string
  /** Ends the watch; nothing is stopped after this. */
  close(): Watched
}

export type Watched = {
  readonly stopped: 'timed_out' | 'cancelled' | 'output' | 'memory' | null
  readonly output: string
  readonly durationMs: number
}

export type Ending = { readonly exitCode: number | null; readonly problem?: string }

type WatchAsk = {
  readonly limits: CommandLimits
  readonly signal: AbortSignal
  /** Ends the run at once. Called at most once. */
  readonly stop: () => void
  /** Measures the memory in use, where nothing else limits it. */
  readonly memoryBytes?: (() => number) | undefined
}

const NOTES_BYTES = 16 << 10
const MEASURE_MS = 50

export function watchRun({ limits, signal, stop, memoryBytes }: WatchAsk): Watch {
  const startedAt = performance.now()
  const output = new KeptOutput()
  const notes = new KeptOutput(NOTES_BYTES)
  let stopped: Watched['stopped'] = null
  const stopFor = (why: NonNullable<Watched['stopped']>) => {
    if (stopped !== null) return
    stopped = why
    stop()
  }
  const cancel = () => stopFor('cancelled')
  const timer = setTimeout(() => stopFor('timed_out'), limits.wallClockMs)
  const meter =
    memoryBytes && setInterval(() => memoryBytes() > limits.memoryBytes && stopFor('memory'), MEASURE_MS)
  signal.addEventListener('abort', cancel, { once: true })
  // It may have come while the sandbox was being built, and is not announced again.
  if (signal.aborted) cancel()
  const add = (to: KeptOutput) => (chunk: Buffer) => {
    to.add(chunk)
    if (output.totalBytes + notes.totalBytes > limits.outputBytes) stopFor('output')
  }
  return {
    hear: add(output),
    note: add(notes),
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
 * A run whose command never began is our failure, whatever it ran into. After that, what it ran into comes before how it
 * ended: a run at a limit proves nothing, and waiting at one is no slowness.
 */
export function verdict(watch: Watch, ending: Ending, notes: InsideNotes): CommandRun {
  const { stopped, output, durationMs } = watch.close()
  const { exitCode } = ending
  const run = { exitCode, limit: null, output, durationMs }
  if (stopped === 'cancelled') return { ...run, outcome: 'cancelled', exitCode: null }
  if (ending.problem !== undefined || !notes.isReady)
    return { ...run, outcome: 'failed', reason: ending.problem ?? setUpProblem(watch.notes(), exitCode) }
  if (stopped === 'output') return { ...run, outcome: 'limit', limit: 'output', exitCode: null }
  if (notes.isOverMemory || stopped === 'memory') return { ...run, outcome: 'limit', limit: 'memory' }
  if (notes.isOverProcesses) return { ...run, outcome: 'limit', limit: 'processes' }
  if (stopped === 'timed_out') return { ...run, outcome: 'timed_out', exitCode: null }
  if (notes.isDiskFull || (exitCode !== 0 && saysDiskFull(output)))
    return { ...run, outcome: 'limit', limit: 'disk' }
  return { ...run, outcome: 'exited', exitCode: exitCode ?? 137 }
}

const setUpProblem = (notes: string, exitCode: number | null): string =>
  `the sandbox could not be set up (${exitCode ?? 'killed'}): ${problemIn(notes).slice(0, 500)}`
