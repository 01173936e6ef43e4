// Converts the service's reply to a stored result.
import type { AgentRun, AgentRunLoopFrame, AgentRunResult } from '@cowrie/sdk'
import type { Result } from '../results/result.ts'

type Withheld = NonNullable<AgentRunResult['withheld']>[number]
export type ResultFrame = Extract<AgentRunLoopFrame, { result: unknown }>

/** A result with a known outcome, and the balance after it if the service returned it. */
export type RunOutcome = { readonly result: Result; readonly balanceMinor: bigint | null }

/** `withheld: src/config.ts:3 (GitHub token)` */
export const withheldText = ({ path, line, reason }: Withheld): string =>
  `withheld: ${path}${line === undefined ? '' : `:${line}`} (${reason})`

export function outcomeOfRun(result: Result, reply: AgentRunResult): RunOutcome {
  return {
    result: { ...result, ...resultOf(reply), runId: reply.id, state: 'done', costMinor: reply.costMinor },
    balanceMinor: reply.balanceMinor,
  }
}

export function outcomeOfLoop(result: Result, frame: ResultFrame): RunOutcome {
  return {
    result: {
      ...result,
      ...resultOf(frame.result),
      runId: frame.id,
      state: frame.cancelled ? 'partial' : 'done',
      reason: frame.stopReason,
      verified: frame.verified,
      costMinor: frame.totalCostMinor,
    },
    balanceMinor: frame.balanceMinor,
  }
}

/** From the list of past runs; null while it is running. */
export function outcomeOfListed(result: Result, run: AgentRun): RunOutcome | null {
  if (run.status === 'running') return null
  const known = { ...result, runId: run.id, costMinor: run.costMinor, reason: run.code ?? run.stopReason }
  if (!run.result) return { result: { ...known, state: 'failed' }, balanceMinor: null }
  return {
    result: {
      ...known,
      ...resultOf(run.result),
      state: run.status === 'completed' ? 'done' : 'partial',
      verified: run.kind === 'loop' ? run.verified : null,
    },
    balanceMinor: null,
  }
}

const resultOf = ({
  summary,
  edits,
  warnings = [],
  withheld = [],
}: Pick<AgentRunResult, 'summary' | 'edits' | 'warnings' | 'withheld'>) => ({
  summary,
  edits,
  warnings: [...warnings, ...withheld.map(withheldText)],
})
