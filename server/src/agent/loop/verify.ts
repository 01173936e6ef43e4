// Runs the tests on a workspace, in a fresh sandbox each time, and judges the result.
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CommandRun,
  type PreparedDependencies,
  prepareDependencies,
  runCommand,
} from '../../sandbox/sandbox.ts'
import type { WorkspaceFiles } from '../run/workspace.ts'
import type { AgentLoop } from './state.ts'
import { LoopStopped } from './stops.ts'
import { findDecisiveChanges, removeAddedTests } from './test-integrity/decisive-files.ts'
import { findTampering } from './test-integrity/tamper-check.ts'
import { BASELINE_MS, judgeTestRun, type TestVerdict } from './test-integrity/test-verdict.ts'

export type Verification = {
  readonly verdict: TestVerdict
  /** Changed files that decide about the tests, unless that is allowed. */
  readonly decisive: readonly string[]
  /** The tests passed twice, without changes to files that decide about them. */
  readonly isVerified: boolean
}

/** Runs the tests on the original files. */
export async function runBaseline(loop: AgentLoop): Promise<TestVerdict> {
  return runTests(loop, loop.plan.base, null)
}

/**
 * Runs the existing tests and, if they pass, again with the added ones. Throws `LoopStopped` if they cannot run or
 * the loop is stopped.
 */
export async function verify(loop: AgentLoop, baseline: TestVerdict | null): Promise<Verification> {
  const { plan, state } = loop
  const { allowTestEdits, testCmd = '' } = plan.request
  const decisive = allowTestEdits ? [] : findDecisiveChanges(plan.base, state.workspace, testCmd)
  const own = allowTestEdits ? state.workspace : removeAddedTests(plan.base, state.workspace, testCmd)
  const first = await runTests(loop, own, baseline)
  const isShown = first.passes && first.evidence !== 'passed-before'
  if (!isShown || decisive.length > 0) return { verdict: first, decisive, isVerified: false }
  const again = await runTests(loop, state.workspace, baseline)
  if (again.passes) return { verdict: again, decisive, isVerified: true }
  const words = own === state.workspace ? FLAKY : ADDED_FAIL
  return { verdict: { ...again, excerpt: `${words}\n\n${again.excerpt}` }, decisive, isVerified: false }
}

const FLAKY = 'The tests passed once and failed when they were run again on the same files.'
const ADDED_FAIL = 'The tests passed without those that were added, and failed with them.'

async function runTests(
  loop: AgentLoop,
  files: WorkspaceFiles,
  baseline: TestVerdict | null,
): Promise<TestVerdict> {
  const { app, plan } = loop
  const dependencies = await prepare(loop, files)
  const run = await runWithRetries(loop, files, dependencies)
  if (run.outcome === 'cancelled') throw new LoopStopped(plan.stops.reason() ?? 'cancelled')
  if (run.outcome === 'failed') {
    app.log.warn({ runId: plan.id, reason: run.reason }, 'agent.tests.run_failed')
    throw new LoopStopped('sandbox_failed')
  }
  const output = await plan.prepared.secrets.hideForeignText('test output', run.output)
  const verdict = judgeTestRun({ ...run, output }, { baseline, tampering: findTampering(plan.base, files) })
  if (dependencies.state !== 'failed' || verdict.passes) return verdict
  return explainMissing(loop, verdict, dependencies)
}

type FailedDependencies = PreparedDependencies & { state: 'failed' }

const OUR_FAULTS: ReadonlySet<string> = new Set(['registry_unreachable', 'no_sandbox', 'timed_out'])

/**
 * Tests that fail without their dependencies prove nothing about the edits. If that is our fault, the loop ends: for free
 * before the first edit, and without further charges after it.
 */
async function explainMissing(
  { plan, progressStream, state }: AgentLoop,
  verdict: TestVerdict,
  { tool, reason, output }: FailedDependencies,
): Promise<TestVerdict> {
  const why = `The dependencies of the project are not installed (${tool}: ${reason}).`
  if (OUR_FAULTS.has(reason)) {
    const progress = { turn: state.iterations, costMinor: state.chargedMinor }
    await progressStream.step({ step: 'verify', ...progress, ok: false, note: why })
    throw new LoopStopped(plan.stops.reason() ?? (state.iterations === 0 ? 'sandbox_failed' : 'not_verified'))
  }
  const shown = await plan.prepared.secrets.hideForeignText('output of the installation', output)
  return { ...verdict, excerpt: `${why}\n${shown.slice(-SHOWN_MAX)}\n\n${verdict.excerpt}` }
}

const SHOWN_MAX = 2_000

const PAUSES_MS = [250, 1_000, 4_000]

/**
 * After a charge, a run ignores the queue limit, and a sandbox failure is retried. Before a charge, a full queue
 * refuses the run.
 */
async function runWithRetries(
  loop: AgentLoop,
  files: WorkspaceFiles,
  dependencies: PreparedDependencies,
): Promise<CommandRun> {
  const { app, plan, state } = loop
  const { sandbox, testCmd } = plan.request
  if (sandbox === 'none' || testCmd === undefined) throw new LoopStopped('not_verified')
  const ignoresQueueLimit = state.iterations > 0
  const input = {
    ...{
      kind: sandbox,
      owner: plan.actor.orgId,
      files,
      command: testCmd,
      signal: plan.stops.testSignal,
      ignoresQueueLimit,
    },
    ...(dependencies.state === 'ready' && { layer: dependencies.layer }),
    ...(!ignoresQueueLimit && { limits: { wallClockMs: BASELINE_MS } }),
  }
  let run = await runCommand(app, input)
  for (const pauseMs of ignoresQueueLimit ? PAUSES_MS : []) {
    if (run.outcome !== 'failed') break
    await pause(pauseMs)
    run = await runCommand(app, input)
  }
  return run
}

/** If they cannot be installed, the tests run without them. Containers have the packages of their image. */
async function prepare({ app, plan }: AgentLoop, files: WorkspaceFiles): Promise<PreparedDependencies> {
  if (plan.request.sandbox !== 'local') return { state: 'none' }
  const tree = { folder: null, files, deleted: new Set<string>() }
  const { orgId } = plan.actor
  const prepared = await prepareDependencies(app, { orgId, tree, signal: plan.stops.testSignal })
  if (prepared.state === 'failed')
    app.log.warn({ runId: plan.id, reason: prepared.reason }, 'agent.dependencies.prepare_failed')
  return prepared
}
