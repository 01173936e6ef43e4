// Compares test runs of a turn.
import { judgeTestRun, type TestVerdict } from '../../agent/agent.ts'
import type { TestRun } from './run-tests.ts'

const NO_TESTS =
  /\bno tests? (files?|found|ran|run|to run|collected|executed|were (found|run|executed))\b|\bTests are skipped\b|\b0 tests? (ran|run|executed)\b|\[no test files\]/i
/** The command did not get as far as the project. */
const ENVIRONMENT =
  /^(\S{1,80}: )?(\d+: )?\S{1,80}: (command )?not found$|No module named '?(pytest|nose2?|tox)\b|Missing script: "?test|ENOENT[^\n]{0,200}package\.json|Could not open input file/m

/** The command ended well, but without a test. */
export const findNoTests = ({ run, verdict }: TestRun): boolean =>
  run.outcome === 'exited' &&
  run.exitCode === 0 &&
  verdict.report.passed + verdict.report.failed === 0 &&
  (verdict.report.reporter !== null || NO_TESTS.test(run.output))

/** The tests failed, not the environment, and not for lack of tests. */
export function hasFailed({ run, verdict }: TestRun, passing: TestRun): boolean {
  // An endless loop is a failure if the program now ends well within the time.
  if (run.outcome === 'timed_out') return passing.run.durationMs * 2 < run.durationMs
  if (run.outcome !== 'exited' || run.exitCode === 0) return false
  const { reporter, passed, failed } = verdict.report
  if (reporter !== null) return passed + failed > 0
  return (
    run.exitCode !== 126 &&
    run.exitCode !== 127 &&
    !ENVIRONMENT.test(run.output) &&
    !NO_TESTS.test(run.output)
  )
}

/** The verdict about a run, compared with an earlier one. */
export const compareWith = ({ run }: TestRun, earlier: TestRun): TestVerdict =>
  judgeTestRun(run, { baseline: earlier.verdict, tampering: null })

/** Whether a run has tests that another has not, by name if the runner names them. */
export function hasMoreTests(
  { verdict: { report } }: TestRun,
  { verdict: { report: other } }: TestRun,
): boolean {
  if (report.passed <= other.passed) return false
  const names = [...report.named.passed]
  if (names.length === 0 || !report.isWhole || !other.isWhole) return true
  return names.some((name) => !other.named.passed.has(name) && !other.named.failed.has(name))
}
