// Judges a test run. Exit code 0 is not enough: the tests must have run, and at least as many as before.
import { type CommandRun, condenseOutput, readTestReport, type TestReport } from '../../../sandbox/sandbox.ts'

export type TestVerdict = {
  /** The command succeeded, and nothing contradicts it. */
  readonly passes: boolean
  /**
   * Proof that the change works: the test report, or only the exit code if the report is unknown. `passed-before`: no
   * proof, because the command passed before any change and reports no tests.
   */
  readonly evidence: 'tests' | 'exit-code' | 'passed-before' | null
  readonly report: TestReport
  /** False: it was stopped before its end. */
  readonly hasEnded: boolean
  /** Number of failing tests; infinite if unknown. */
  readonly failing: number
  /** Equal for equal failures. */
  readonly signature: string
  /** The output shown to the model and the customer. */
  readonly excerpt: string
}

/** Facts about the run besides its output. */
export type VerdictContext = {
  /** The run on the original files; null if this is that run. */
  readonly baseline: TestVerdict | null
  /** Why the change makes a pass worthless, if it does. */
  readonly tampering: string | null
}

/** The baseline run is free, so its time limit is short. */
export const BASELINE_MS = 60_000

export function judgeTestRun(run: CommandRun, context: VerdictContext): TestVerdict {
  const report = readTestReport(run.output, run.exitCode ?? -1)
  const excerpt = condenseOutput(run.output, report)
  if (run.outcome !== 'exited') return unfinishedVerdict(run, report, excerpt)
  if (run.exitCode !== 0) return failedVerdict(report, excerpt)
  const doubt = findDoubt(run, report, context)
  return doubt === null
    ? passedVerdict(report, excerpt, context.baseline)
    : doubtfulVerdict(doubt, report, excerpt)
}

/** Why a passing command proves nothing; null if it does. */
function findDoubt(
  run: CommandRun,
  report: TestReport,
  { baseline, tampering }: VerdictContext,
): string | null {
  if (report.failed > 0) return 'The command ended well although tests failed.'
  if (report.reporter !== null && report.passed === 0) return 'No test was run.'
  return tampering ?? (baseline && findDoubtAgainstBaseline(baseline, run, report))
}

/** The report, the number of tests and every named test must be there again. */
function findDoubtAgainstBaseline(
  baseline: TestVerdict,
  { durationMs }: CommandRun,
  report: TestReport,
): string | null {
  const before = baseline.report
  if (before.reporter !== null && report.reporter === null) return 'The tests no longer report that they ran.'
  if (report.passed < before.passed + before.failed) return 'Fewer tests passed than there were.'
  const missing = findMissingTest(before, report)
  if (missing !== null) return `A test that ran before did not run and pass now: ${missing}`
  if (report.reporter === null && !baseline.hasEnded && durationMs >= BASELINE_MS)
    return 'It took longer than the run before anything was changed was given, so that one may have passed as well.'
  return null
}

function findMissingTest(before: TestReport, { named, reporter, isWhole }: TestReport): string | null {
  const names = [...before.named.failed, ...before.named.passed]
  if (!before.isWhole || names.length === 0) return null
  if (!isWhole) return 'there was too much output to find it'
  // Jest names tests only when there is a single file.
  if (reporter === 'jest' && named.passed.size === 0) return null
  return names.find((name) => !named.passed.has(name)) ?? null
}

const passedVerdict = (report: TestReport, excerpt: string, baseline: TestVerdict | null): TestVerdict => ({
  passes: true,
  evidence: report.reporter !== null ? 'tests' : baseline?.passes ? 'passed-before' : 'exit-code',
  hasEnded: true,
  report,
  failing: 0,
  signature: 'passed',
  excerpt,
})

const failedVerdict = (report: TestReport, excerpt: string): TestVerdict => ({
  passes: false,
  evidence: null,
  hasEnded: true,
  report,
  failing: report.reporter === null ? Number.POSITIVE_INFINITY : Math.max(1, report.failed),
  signature: report.signature,
  excerpt,
})

const doubtfulVerdict = (doubt: string, report: TestReport, excerpt: string): TestVerdict => ({
  passes: false,
  evidence: null,
  hasEnded: true,
  report,
  failing: Number.POSITIVE_INFINITY,
  signature: `doubted: ${doubt}`,
  excerpt: `${doubt}\n\n${excerpt}`,
})

function unfinishedVerdict(
  { outcome, limit, durationMs }: CommandRun,
  report: TestReport,
  excerpt: string,
): TestVerdict {
  const seconds = Math.round(durationMs / 1000)
  const words =
    outcome === 'timed_out'
      ? `The tests did not end within ${seconds} seconds and were stopped.`
      : `The tests were stopped because they reached the limit on ${limit}.`
  return {
    passes: false,
    evidence: null,
    hasEnded: false,
    report,
    failing: Number.POSITIVE_INFINITY,
    signature: `${outcome} ${limit}`,
    excerpt: `${words}\n\n${excerpt}`,
  }
}
