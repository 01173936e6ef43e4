// What it means to run a command on some files, in whatever sandbox.

export type CommandLimits = {
  /** How long it may take by the clock on the wall. */
  readonly wallClockMs: number
  readonly memoryBytes: number
  /** Processes and threads together. */
  readonly processes: number
  /** What it may write beside its files and in /tmp, each. */
  readonly diskBytes: number
  /** What it may print before it is stopped; far less of it is kept. */
  readonly outputBytes: number
}

export const DEFAULT_LIMITS: CommandLimits = {
  wallClockMs: 120_000,
  memoryBytes: 512 << 20,
  processes: 64,
  diskBytes: 64 << 20,
  outputBytes: 16 << 20,
}

export type LimitName = 'memory' | 'processes' | 'disk' | 'output'

export type CommandInput = {
  /** Clean relative paths and their text or bytes. Each run has its own copy, and nothing of it is left afterwards. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** What a shell runs, where the files lie. */
  readonly command: string
  readonly signal: AbortSignal
  readonly limits?: Partial<CommandLimits>
}

export type CommandRun = {
  /**
   * `exited`: it ended by itself, well or badly. `limit`: it ran into the limit named below, however it ended. `failed`: we
   * could not run it, and `reason` says why.
   */
  readonly outcome: 'exited' | 'timed_out' | 'limit' | 'cancelled' | 'failed'
  readonly exitCode: number | null
  readonly limit: LimitName | null
  /** Both streams in the order they were written; of more than a mebibyte, the first and the last half of one. */
  readonly output: string
  readonly durationMs: number
  readonly reason?: string
}

export const withDefaultLimits = (input: CommandInput): CommandLimits => ({
  ...DEFAULT_LIMITS,
  ...input.limits,
})

export const failedRun = (reason: string, durationMs = 0): CommandRun => ({
  outcome: 'failed',
  exitCode: null,
  limit: null,
  output: '',
  durationMs,
  reason,
})

export const cancelledRun = (durationMs = 0): CommandRun => ({
  outcome: 'cancelled',
  exitCode: null,
  limit: null,
  output: '',
  durationMs,
})
