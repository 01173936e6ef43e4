// Runs the tests of a turn on a tree, with the dependencies of that tree.
import { setTimeout as pause } from 'node:timers/promises'
import { judgeTestRun, type TestVerdict } from '../../agent/agent.ts'
import type { App } from '../../platform/app.ts'
import {
  type CommandRun,
  type PreparedDependencies,
  runCommand,
  type SandboxTree,
} from '../../sandbox/sandbox.ts'
import type { DependencyState, TestSummary, VerificationReason, VerifyTurnInput } from './types.ts'

/** Ends a verification early. */
export class VerificationEnded extends Error {
  readonly reason: VerificationReason

  constructor(reason: VerificationReason) {
    super(reason)
    this.reason = reason
  }
}

export type TestRun = { readonly run: CommandRun; readonly verdict: TestVerdict }

export type TestRunner = {
  readonly app: App
  readonly input: VerifyTurnInput & { readonly sandbox: 'local' | 'docker' }
  readonly command: string
  /** Runners name each test. Too many names would not fit into the output. */
  readonly isVerbose: boolean
}

export const TEST_LIMITS = {
  wallClockMs: 180_000,
  memoryBytes: 1 << 30,
  processes: 256,
  diskBytes: 512 << 20,
} as const

/** Throws `VerificationEnded` if the sandbox fails or the turn is stopped. */
export async function runTests(
  runner: TestRunner,
  tree: SandboxTree,
  dependencies: PreparedDependencies,
  baseline: TestVerdict | null = null,
): Promise<TestRun> {
  const { app, input } = runner
  const run = await runWithRetries(runner, tree, dependencies)
  if (run.outcome === 'cancelled' || input.signal.aborted) throw new VerificationEnded('stopped')
  if (run.outcome === 'failed') {
    app.log.warn({ orgId: input.orgId, reason: run.reason }, 'tasks.verify.run_failed')
    throw new VerificationEnded('sandbox_failed')
  }
  const hidden = { ...run, output: await input.hide(run.output) }
  return { run: hidden, verdict: judgeTestRun(hidden, { baseline, tampering: null }) }
}

const PAUSES_MS = [250, 1_000]

async function runWithRetries(
  { app, input, command, isVerbose }: TestRunner,
  tree: SandboxTree,
  dependencies: PreparedDependencies,
): Promise<CommandRun> {
  const request = {
    ...{ kind: input.sandbox, owner: input.orgId, tree, signal: input.signal },
    ...(dependencies.state === 'ready' && { layer: dependencies.layer }),
    command: withTestNames(command, isVerbose),
    // The turn is paid for, so it waits for a slot.
    ignoresQueueLimit: true,
    limits: TEST_LIMITS,
  }
  let run = await runCommand(app, request)
  for (const pauseMs of PAUSES_MS) {
    if (run.outcome !== 'failed' || input.signal.aborted) break
    await pause(pauseMs)
    run = await runCommand(app, request)
  }
  return run
}

/** Makes Go and pytest name every test, and prints the report files of Maven and Gradle, which print nothing when all is well. */
export function withTestNames(command: string, isVerbose: boolean): string {
  const named = isVerbose
    ? `export GOFLAGS="\${GOFLAGS:-} -v" PYTEST_ADDOPTS="\${PYTEST_ADDOPTS:-} -rap"\n${command}`
    : command
  if (!/\b(mvnw?|gradlew?)\b/.test(command)) return named
  return `started=$(mktemp)\n(\n${named}\n)\ncode=$?\n${PRINT_REPORTS}\nexit $code`
}

const PRINT_REPORTS = `find . \\( -path '*/surefire-reports/TEST-*.xml' -o -path '*/failsafe-reports/TEST-*.xml' \\
  -o -path '*/build/test-results/*/TEST-*.xml' \\) -newer "$started" \\
  -exec grep -hoE '<test(suite|case) [^>]*>|<(failure|error|skipped)[ />]' {} +`

export const summarize = ({ run, verdict }: TestRun): TestSummary => ({
  exitCode: run.exitCode,
  passed: verdict.report.passed,
  failed: verdict.report.failed,
  durationMs: run.durationMs,
  isEnded: verdict.hasEnded,
})

export const describeDependencies = (prepared: PreparedDependencies): DependencyState => {
  if (prepared.state === 'none') return { state: 'none' }
  if (prepared.state === 'failed') return { state: 'failed', tool: prepared.tool, reason: prepared.reason }
  return { state: 'ready', tool: prepared.tool, isCached: prepared.isCached }
}
