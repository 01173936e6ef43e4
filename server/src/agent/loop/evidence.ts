// What a run of the tests has shown. A command that ends well is not enough: the tests must have run, as many as before.
import type { CommandRun } from '../sandbox/command-run.ts'
import { condense, readTests, type TestReport } from '../sandbox/reports.ts'

export type Judged = {
  /** The tests have run and all of them passed. */
  readonly passes: boolean
  /** What says so: the report of the tests, or the exit code alone where nobody can read the report. */
  readonly evidence: 'tests' | 'exit-code' | null
  readonly report: TestReport
  /** How many tests failed; infinite where nobody could count them. */
  readonly failing: number
  /** The same for the same failure. */
  readonly signature: string
  /** What the model and the customer are shown of it. */
  readonly excerpt: string
}

/** What is known about the run besides its output. */
export type Circumstances = {
  /** The run on the files as they came; null where the tests may be other ones now. */
  readonly baseline: Judged | null
  /** The change itself has words that end the process. */
  readonly endsProcess: boolean
}

export function judge(run: CommandRun, { baseline, endsProcess }: Circumstances): Judged {
  const report = readTests(run.output, run.exitCode ?? -1)
  const excerpt = condense(run.output, report)
  if (run.outcome !== 'exited') return unfinished(run, report, excerpt)
  if (run.exitCode !== 0) return failed(report, excerpt)
  const doubt = doubtOf(run.output, report, baseline?.report ?? null, endsProcess)
  return doubt === null ? passed(report, excerpt) : doubted(doubt, report, excerpt)
}

/** Whether a change brings words by which a program ends at once and well, before its tests could say anything. */
export const endsProcess = (addedLines: readonly string[]): boolean =>
  addedLines.some((line) => ENDING.some((pattern) => pattern.test(line)))

// Ending with another code than 0 fails the tests, so it fools nobody.
const ENDING = [
  /\bprocess\s*(\?\.|\.|\[\s*['"`])\s*(exit|reallyExit|exitCode|abort|kill)\b(?!['"`\]\s]*(\(|=)\s*[1-9])/,
  /\b(sys\.exit|os\._exit|os\.Exit|System\.exit|Runtime\.getRuntime\(\)\.(halt|exit))\b(?!\s*\(\s*[1-9])/,
  /(^|[^\w.$])(exit|quit|die)!?\s*\((?!\s*[1-9])/,
  /\bSystemExit\b/,
]

// These name every test that passed, so one that has vanished can be missed.
const NAMING_REPORTERS: ReadonlySet<string> = new Set(['node:test', 'tap'])

/** Why a command that ended well has shown nothing; null when it has. */
function doubtOf(
  output: string,
  report: TestReport,
  before: TestReport | null,
  endsItself: boolean,
): string | null {
  if (report.failed > 0) return 'The command ended well although tests failed.'
  if (report.reporter !== null && report.passed === 0) return 'No test was run.'
  if (before?.reporter && report.reporter === null) return 'The tests no longer report that they ran.'
  if (before && report.passed < before.passed + before.failed) return 'Fewer tests passed than there were.'
  const isNaming = NAMING_REPORTERS.has(report.reporter ?? '')
  if (isNaming && before?.failures.some(({ name }) => isTestName(name) && !output.includes(name)))
    return 'Tests that failed before did not run any more.'
  if (!isNaming && endsItself) return 'The change ends the process by itself, so its exit code shows nothing.'
  return null
}

/** A file that could not be loaded is reported under its path; once it loads, its tests have names of their own. */
const isTestName = (name: string): boolean => !/[/\\]|\.[cm]?[jt]sx?$/.test(name)

const passed = (report: TestReport, excerpt: string): Judged => ({
  passes: true,
  evidence: report.reporter === null ? 'exit-code' : 'tests',
  report,
  failing: 0,
  signature: 'passed',
  excerpt,
})

const failed = (report: TestReport, excerpt: string): Judged => ({
  passes: false,
  evidence: null,
  report,
  failing: report.reporter === null ? Number.POSITIVE_INFINITY : Math.max(1, report.failed),
  signature: report.signature,
  excerpt,
})

const doubted = (doubt: string, report: TestReport, excerpt: string): Judged => ({
  passes: false,
  evidence: null,
  report,
  failing: Number.POSITIVE_INFINITY,
  signature: `doubted: ${doubt}`,
  excerpt: `${doubt}\n\n${excerpt}`,
})

function unfinished({ outcome, limit, durationMs }: CommandRun, report: TestReport, excerpt: string): Judged {
  const seconds = Math.round(durationMs / 1000)
  const words =
    outcome === 'timed_out'
      ? `The tests did not end within ${seconds} seconds and were stopped.`
      : `The tests were stopped because they reached the limit on ${limit}.`
  return {
    passes: false,
    evidence: null,
    report,
    failing: Number.POSITIVE_INFINITY,
    signature: `${outcome} ${limit}`,
    excerpt: `${words}\n\n${excerpt}`,
  }
}
