// A task for the agent: prompt, files, options and limit. Pure.
import type { AgentQuoteBody, AgentRunBody, AgentRunLoopBody } from '@cowrie/sdk'
import { ownRepo } from '../../repo-index/chosen-repo.ts'
import { sendable, type TaskFile } from './file-secrets.ts'

export type Sandbox = 'none' | 'local' | 'docker'

/** Options of a run, kept from one task to the next. */
export type RunOptions = {
  /** `loop`: repeats until the tests pass, at most `rounds` times. */
  kind: 'run' | 'loop'
  frontier: boolean
  testCommand: string
  sandbox: Sandbox
  rounds: number
  mayEditTests: boolean
  /** As typed; empty for no limit. */
  limit: string
}

export const DEFAULT_OPTIONS: RunOptions = {
  kind: 'run',
  frontier: false,
  testCommand: '',
  sandbox: 'local',
  rounds: 3,
  mayEditTests: false,
  limit: '',
}

/** The complete request: sent again unchanged, it is the same intent. */
export type RunRequest = { kind: 'run'; body: AgentRunBody } | { kind: 'loop'; body: AgentRunLoopBody }

/** The maximum number of rounds, by the tier of the organisation. */
const ROUNDS: Readonly<Record<string, number>> = { individual: 3, team: 4, enterprise: 6 }
export const maxRounds = (tier: string): number => ROUNDS[tier] ?? 3

export type Task = { prompt: string; files: readonly TaskFile[]; options: RunOptions; tier: string }

export function quoteBody({ prompt, files, options, tier }: Task, limitMinor: bigint | null): AgentQuoteBody {
  return {
    ...common(prompt, files, options),
    ...(limitMinor !== null && { maxMinor: limitMinor }),
    ...(options.kind === 'loop' && { maxIters: rounds(options, tier), sandbox: sandboxOf(options) }),
  }
}

/** `ceilingMinor` is the quoted price. It is sent along, so that a price change cannot raise the cost. */
export function runRequest({ prompt, files, options, tier }: Task, ceilingMinor: bigint): RunRequest {
  const body = { ...common(prompt, files, options), maxMinor: ceilingMinor }
  if (options.kind === 'run') return { kind: 'run', body }
  const sandbox = sandboxOf(options)
  return {
    kind: 'loop',
    body: {
      ...body,
      sandbox,
      maxIters: rounds(options, tier),
      ...(sandbox !== 'none' && {
        testCmd: options.testCommand.trim(),
        allowTestEdits: options.mayEditTests,
      }),
    },
  }
}

function common(prompt: string, list: readonly TaskFile[], { frontier }: RunOptions) {
  const { files, allowSecrets } = sendable(list)
  return {
    prompt,
    ...(files.length > 0 && { context: files.map(({ path, content }) => ({ path, content })) }),
    ...ownRepo(),
    ...(frontier && { frontier }),
    ...(allowSecrets && { allowSecrets }),
  }
}

/** Without a test command there is nothing to run. */
const sandboxOf = ({ sandbox, testCommand }: RunOptions): Sandbox =>
  testCommand.trim() === '' ? 'none' : sandbox

const rounds = (options: RunOptions, tier: string): number => Math.min(options.rounds, maxRounds(tier))
