// Verifies a turn: runs the tests of the repository on the files before and after it. The original tests judge the new
// program first; new tests count only if they fail without the change.
import type { App } from '../../platform/app.ts'
import { type PreparedDependencies, prepareDependencies, type SandboxTree } from '../../sandbox/sandbox.ts'
import { detectTurnCommand } from './detect-command.ts'
import type { ChangeInspection } from './inspect-change.ts'
import { inspectOnWorker } from './inspect-on-worker.ts'
import { compareWith, findNoTests, hasFailed, hasMoreTests } from './judge-runs.ts'
import { asksOnlyForTests } from './new-tests.ts'
import {
  describeDependencies,
  runTests,
  summarize,
  type TestRun,
  type TestRunner,
  VerificationEnded,
} from './run-tests.ts'
import type { TurnVerification, VerificationReason, VerifyTurnInput } from './types.ts'

export { detectTestCommand } from './detect-command.ts'
export type {
  DependencyState,
  TestSummary,
  TurnVerification,
  VerificationReason,
  VerifyTurnInput,
} from './types.ts'

/** Never throws for failures of the tests, the dependencies or the sandbox: see `reason`. */
export async function verifyTurn(app: App, input: VerifyTurnInput): Promise<TurnVerification> {
  const draft: Draft = { ...EMPTY }
  try {
    const reason = await verify(app, input, draft)
    return { ...draft, reason, verified: PROVEN.has(reason) }
  } catch (error) {
    if (input.signal.aborted) return { ...draft, reason: 'stopped', verified: false }
    if (error instanceof VerificationEnded) return { ...draft, reason: error.reason, verified: false }
    throw error
  }
}

const PROVEN: ReadonlySet<VerificationReason> = new Set(['failed_before_passes_now', 'new_test_passes'])

/** Filled in while the verification runs, so that an early end shows what is known. */
type Draft = { -readonly [K in keyof Unjudged]: Unjudged[K] }
type Unjudged = Omit<TurnVerification, 'verified' | 'reason'>

const EMPTY: Draft = {
  command: null,
  commandFrom: null,
  before: null,
  after: null,
  excerpt: '',
  dependencies: { state: 'none' },
}

async function verify(app: App, input: VerifyTurnInput, draft: Draft): Promise<VerificationReason> {
  if (input.changedPaths.length === 0) return 'no_changes'
  draft.command = input.command ?? (await detectTurnCommand(input.before, input.after))
  if (draft.command === null) return 'no_command'
  draft.commandFrom = input.command === null ? 'detected' : 'caller'
  const { command } = draft
  const request = `${input.context}\n${input.request}`
  const change = await inspectOnWorker(input.orgId, { ...input, request, command }, input.signal)
  if (change.changes.length === 0) return 'no_changes'
  if (input.sandbox === null) return 'no_sandbox'
  const runner = {
    ...{ app, command, isVerbose: change.testFiles <= VERBOSE_FILES_MAX },
    input: { ...input, sandbox: input.sandbox },
  }
  const prepared = await prepareBoth(runner, change, draft)
  if (prepared === null) return 'dependencies_failed'
  return judgeTurn({ runner, change, draft, ...prepared })
}

const VERBOSE_FILES_MAX = 400

/** Null if they cannot be installed. Without a change of manifests, both states share them. */
async function prepareBoth({ app, input }: TestRunner, change: ChangeInspection, draft: Draft) {
  const { orgId, signal } = input
  const prepare = (tree: SandboxTree) => prepareDependencies(app, { orgId, tree, signal })
  const ofAfter = await prepare(input.after)
  draft.dependencies = describeDependencies(ofAfter)
  if (ofAfter.state === 'failed') return null
  const ofBefore = change.changesDependencies ? await prepare(input.before) : ofAfter
  if (ofBefore.state === 'failed') draft.dependencies = describeDependencies(ofBefore)
  return ofBefore.state === 'failed' ? null : { ofBefore, ofAfter }
}

type Verification = {
  readonly runner: TestRunner
  readonly change: ChangeInspection
  readonly draft: Draft
  readonly ofBefore: PreparedDependencies
  readonly ofAfter: PreparedDependencies
}

async function judgeTurn(verification: Verification): Promise<VerificationReason> {
  const { runner, change, draft, ofBefore, ofAfter } = verification
  const before = await runTests(runner, runner.input.before, ofBefore)
  draft.before = summarize(before)
  const after = await runTests(runner, runner.input.after, ofAfter)
  draft.after = summarize(after)
  draft.excerpt = after.verdict.excerpt
  if (!after.verdict.hasEnded) return 'timed_out'
  if (findNoTests(after)) return 'no_tests_ran'
  if (!after.verdict.passes) return 'still_fails'
  const problem = findTouchedTests(change, after)
  if (problem !== null) return withDetail(verification, 'tests_changed', problem)
  const { copiedValues } = change
  if (copiedValues !== null && hasFailed(before, after))
    return withDetail(verification, 'hard_coded', copiedValues)
  const reason = await judgeEvidence(verification, before, after)
  return PROVEN.has(reason) && copiedValues !== null
    ? withDetail(verification, 'hard_coded', copiedValues)
    : reason
}

function findTouchedTests(change: ChangeInspection, after: TestRun): string | null {
  if (change.decisive.length > 0) return change.decisive.slice(0, LISTED_MAX).join(', ')
  // A report shows that a runner imported the program and reached its end.
  return after.verdict.report.reporter === null ? change.tampering : change.tamperingIfImported
}

const LISTED_MAX = 20

/** The detail can show a line with a secret. */
async function withDetail(
  { runner, draft }: Verification,
  reason: 'tests_changed' | 'hard_coded',
  detail: string,
): Promise<VerificationReason> {
  draft.detail = await runner.input.hide(detail)
  return reason
}

/** The original tests must pass, and all of them must have run again. */
async function judgeEvidence(
  verification: Verification,
  before: TestRun,
  after: TestRun,
): Promise<VerificationReason> {
  const { runner, change, draft, ofAfter } = verification
  const { withOriginalTests } = change
  const original =
    withOriginalTests === null
      ? { run: after.run, verdict: compareWith(after, before) }
      : await runTests(runner, withOriginalTests, ofAfter, before.verdict)
  if (!original.verdict.passes) {
    draft.excerpt = original.verdict.excerpt
    return withDetail(verification, 'tests_changed', 'The original tests do not pass with this change.')
  }
  const whole = compareWith(after, original)
  if (!whole.passes) {
    draft.excerpt = whole.excerpt
    return withDetail(verification, 'tests_changed', 'Tests that ran before do not run now.')
  }
  return findProof(verification, { before, after, original })
}

type TurnRuns = { readonly before: TestRun; readonly after: TestRun; readonly original: TestRun }

async function findProof(verification: Verification, runs: TurnRuns): Promise<VerificationReason> {
  const { runner, change, ofBefore, ofAfter } = verification
  const { before, after, original } = runs
  const { oldProgram } = change
  if (!change.needsNewTests && hasFailed(before, after)) {
    const isSteady =
      (await passesAgain(verification, runs)) &&
      (await failsAgain(verification, { failed: before, after, tree: runner.input.before, with: ofBefore }))
    return isSteady ? 'failed_before_passes_now' : 'flaky'
  }
  const unproven = before.verdict.passes || findNoTests(before) ? 'passed_before' : 'no_tests_ran'
  if (oldProgram === null || !change.hasAssertion) return unproven
  if (!change.changesProgram) {
    if (!asksOnlyForTests(runner.input.request)) return unproven
    if (!hasMoreTests(after, change.withOriginalTests === null ? before : original)) return unproven
    return (await passesAgain(verification, runs)) ? 'new_test_passes' : 'flaky'
  }
  // The new tests must notice that the change is missing.
  const without = await runTests(runner, oldProgram, ofAfter)
  if (!hasFailed(without, after)) return unproven
  const isSteady =
    (await passesAgain(verification, runs)) &&
    (await failsAgain(verification, { failed: without, after, tree: oldProgram, with: ofAfter }))
  return isSteady ? 'new_test_passes' : 'flaky'
}

/** Runs of at least this length are not repeated. */
const REPEATED_MS_MAX = 60_000

async function passesAgain(
  { runner, draft, ofAfter }: Verification,
  { after, original }: TurnRuns,
): Promise<boolean> {
  if (after.run.durationMs >= REPEATED_MS_MAX) return true
  const again = await runTests(runner, runner.input.after, ofAfter, original.verdict)
  if (!again.verdict.passes) draft.excerpt = again.verdict.excerpt
  return again.verdict.passes
}

type RepeatedFailure = {
  readonly failed: TestRun
  readonly after: TestRun
  readonly tree: SandboxTree
  readonly with: PreparedDependencies
}

async function failsAgain({ runner }: Verification, repeated: RepeatedFailure): Promise<boolean> {
  const { failed, after, tree } = repeated
  if (failed.run.durationMs >= REPEATED_MS_MAX) return true
  return hasFailed(await runTests(runner, tree, repeated.with), after)
}
