// A run as displayed, whether it has just ended or comes from the history.
import type { AgentRun, AgentRunReply } from '@cowrie/sdk'
import { signal } from '@preact/signals'
import type { RunRequest } from '../composer/task.ts'
import type { ResultFrame } from '../progress/progress.ts'

export type Tests = { passed: number; failed: number }
export type RunView = Pick<
  AgentRun,
  | 'id'
  | 'kind'
  | 'sandbox'
  | 'status'
  | 'prompt'
  | 'lane'
  | 'model'
  | 'maxIters'
  | 'iterations'
  | 'verified'
  | 'stopReason'
  | 'error'
  | 'costMinor'
  | 'createdAt'
  | 'result'
> & {
  /** Known right after the run only. */
  balanceMinor: bigint | null
  tests: Tests | null
  evidence: string | null
  testsModified: boolean
}

export type RunContext = { order: RunRequest; askedAt: number }

/** From the last event of a loop. */
export function viewOfLoop(frame: ResultFrame, { order, askedAt }: RunContext): RunView {
  const { result, id, verified, cancelled, iterations, stopReason, totalCostMinor, balanceMinor } = frame
  return {
    id,
    kind: 'loop',
    sandbox: order.kind === 'loop' ? (order.body.sandbox ?? 'none') : 'none',
    status: cancelled ? 'cancelled' : 'completed',
    prompt: order.body.prompt,
    lane: result.lane,
    model: result.model,
    maxIters: order.kind === 'loop' ? (order.body.maxIters ?? iterations) : 1,
    iterations,
    verified,
    stopReason,
    costMinor: totalCostMinor,
    createdAt: new Date(askedAt).toISOString(),
    result,
    balanceMinor,
    tests: frame.tests ?? null,
    evidence: frame.evidence ?? null,
    testsModified: frame.testsModified === true,
  }
}

/** From the response of a single run. */
export function viewOfRun(result: AgentRunReply, { order, askedAt }: RunContext): RunView {
  const { id, lane, model, costMinor, balanceMinor } = result
  return {
    id,
    kind: 'run',
    sandbox: 'none',
    status: 'completed',
    prompt: order.body.prompt,
    lane,
    model,
    maxIters: 1,
    iterations: 1,
    verified: false,
    stopReason: null,
    costMinor,
    createdAt: new Date(askedAt).toISOString(),
    result,
    balanceMinor,
    tests: null,
    evidence: null,
    testsModified: false,
  }
}

/** From the history. Results of loops have fields that the type does not list. */
export function viewOfHistory(run: AgentRun): RunView {
  const facts: Readonly<Record<string, unknown>> = { ...run.result }
  return {
    ...run,
    balanceMinor: null,
    tests: isTests(facts.tests) ? facts.tests : null,
    evidence: typeof facts.evidence === 'string' ? facts.evidence : null,
    testsModified: facts.testsModified === true,
  }
}

const isTests = (value: unknown): value is Tests =>
  typeof value === 'object' &&
  value !== null &&
  'passed' in value &&
  typeof value.passed === 'number' &&
  'failed' in value &&
  typeof value.failed === 'number'

export const latestRun = signal<{ owner: string; view: RunView } | null>(null)
