// A task for the agent: prompt, files, options and limit. Pure.
import type { AgentQuoteBody, AgentRunBody, AgentRunLoopBody } from '@cowrie/sdk'
import { ownRepo } from '../../repo-index/chosen-repo.ts'
import { sendable, type TaskFile } from './file-secrets.ts'

export type Sandbox = 'none' | 'local' | 'docker'

/** Options of a run, kept from one task to the next. */
export type Manner = {
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

export const USUAL: Manner = {
  kind: 'run',
  frontier: false,
  testCommand: '',
  sandbox: 'local',
  rounds: 3,
  mayEditTests: false,
  limit: '',
}

/** The complete request: sent again unchanged, it is the same intent. */
export type Order = { kind: 'run'; body: AgentRunBody } | { kind: 'loop'; body: AgentRunLoopBody }

/** The maximum number of rounds, by the tier of the organisation. */
const ROUNDS: Readonly<Record<string, number>> = { individual: 3, team: 4, enterprise: 6 }
export const roundsFor = (tier: string): number => ROUNDS[tier] ?? 3

export type Task = { prompt: string; files: readonly TaskFile[]; manner: Manner; tier: string }

export function quoteBody({ prompt, files, manner, tier }: Task, limitMinor: bigint | null): AgentQuoteBody {
  return {
    ...common(prompt, files, manner),
    ...(limitMinor !== null && { maxMinor: limitMinor }),
    ...(manner.kind === 'loop' && { maxIters: rounds(manner, tier), sandbox: sandboxOf(manner) }),
  }
}

/** `ceilingMinor` is the quoted price. It is sent along, so that a price change cannot raise the cost. */
export function orderOf({ prompt, files, manner, tier }: Task, ceilingMinor: bigint): Order {
  const body = { ...common(prompt, files, manner), maxMinor: ceilingMinor }
  if (manner.kind === 'run') return { kind: 'run', body }
  const sandbox = sandboxOf(manner)
  return {
    kind: 'loop',
    body: {
      ...body,
      sandbox,
      maxIters: rounds(manner, tier),
      ...(sandbox !== 'none' && { testCmd: manner.testCommand.trim(), allowTestEdits: manner.mayEditTests }),
    },
  }
}

function common(prompt: string, list: readonly TaskFile[], { frontier }: Manner) {
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
const sandboxOf = ({ sandbox, testCommand }: Manner): Sandbox =>
  testCommand.trim() === '' ? 'none' : sandbox

const rounds = (manner: Manner, tier: string): number => Math.min(manner.rounds, roundsFor(tier))
