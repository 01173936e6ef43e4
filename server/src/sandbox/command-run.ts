// The input, the limits and the result of a command run, for every sandbox.
import type { DependencyLayer } from './dependency-layer.ts'
import type { SandboxTree } from './sandbox-tree.ts'

export type CommandLimits = {
  /** Wall clock limit. */
  readonly wallClockMs: number
  readonly memoryBytes: number
  /** Processes and threads together. */
  readonly processes: number
  /** Bytes it may write beside its files, and in /tmp. */
  readonly diskBytes: number
  /** Bytes it may print before it is stopped. Far fewer are kept. */
  readonly outputBytes: number
}

export const DEFAULT_LIMITS: CommandLimits = {
  wallClockMs: 120_000,
  memoryBytes: 512 << 20,
  processes: 64,
  diskBytes: 64 << 20,
  outputBytes: 16 << 20,
}

/** For runs with dependencies: compilers and test runners of whole projects. */
export const LAYERED_LIMITS: CommandLimits = {
  wallClockMs: 300_000,
  memoryBytes: 2 * 2 ** 30,
  processes: 256,
  diskBytes: 768 << 20,
  outputBytes: 16 << 20,
}

export type LimitName = 'memory' | 'processes' | 'disk' | 'output'

export type CommandInput = {
  /** Clean relative paths and their contents. Each run gets its own copy, which is removed afterwards. */
  readonly files?: ReadonlyMap<string, string | Uint8Array>
  /** A folder of this machine and its changes, instead of `files`. */
  readonly tree?: SandboxTree
  /** Prepared dependencies below the files. The run sees them, may change its own view of them, and has no network. */
  readonly layer?: DependencyLayer
  /** A shell command, run in the folder of the files. */
  readonly command: string
  readonly signal: AbortSignal
  readonly limits?: Partial<CommandLimits>
}

export type CommandRun = {
  /**
   * `exited`: it ended by itself. `limit`: it reached the limit below. `failed`: the sandbox could not run it; see
   * `reason`.
   */
  readonly outcome: 'exited' | 'timed_out' | 'limit' | 'cancelled' | 'failed'
  readonly exitCode: number | null
  readonly limit: LimitName | null
  /** Both streams in order. Above 1 MiB, the first and the last half. */
  readonly output: string
  readonly durationMs: number
  readonly reason?: string
}

export const withDefaultLimits = (input: CommandInput): CommandLimits => ({
  ...(input.layer === undefined ? DEFAULT_LIMITS : LAYERED_LIMITS),
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
