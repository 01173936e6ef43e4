// Reads the output of a test run from any known runner: how many tests passed, which failed, and where.
import { createHash } from 'node:crypto'
import { BYTES_LEFT_OUT } from '../bounded-output.ts'
import { cargo, go, junit, phpunit } from './compiled.ts'
import { LINES_LEFT_OUT, toPlainLines, toRelativePaths } from './condense.ts'
import { jest, mocha, vitest } from './javascript.ts'
import { nodeSpec, nodeTap, tap } from './node-test.ts'
import { pytest, unittest } from './python.ts'
import type { Reporter, TestFailure } from './reporter.ts'
import { readTestNames, type TestNames } from './test-names.ts'

export { condenseOutput } from './condense.ts'

export type TestReport = {
  /** Null: no known runner wrote this, so only the exit code counts. */
  readonly reporter: string | null
  readonly passed: number
  readonly failed: number
  readonly failures: readonly TestFailure[]
  /** Tests that the runner named individually. */
  readonly named: TestNames
  /** False: the output was truncated, so names may be missing. */
  readonly isWhole: boolean
  /** Equal for equal failures, independent of line numbers and durations. */
  readonly signature: string
}

const REPORTERS: readonly Reporter[] = [
  nodeSpec,
  nodeTap,
  tap,
  vitest,
  jest,
  mocha,
  pytest,
  unittest,
  go,
  cargo,
  phpunit,
  junit,
]
const LAST_LINES = 20

/** If a command starts several runners, their counts are added under the name of the first. */
export function readTestReport(output: string, exitCode: number): TestReport {
  const lines = toPlainLines(toRelativePaths(output))
  const read = REPORTERS.flatMap((reporter) => {
    const counts = reporter.read(lines)
    return counts === null ? [] : { name: reporter.name, ...counts }
  })
  const failures = read.flatMap((counts) => counts.failures)
  const reporter = read[0]?.name ?? null
  return {
    reporter,
    passed: read.reduce((sum, counts) => sum + counts.passed, 0),
    failed: read.reduce((sum, counts) => sum + counts.failed, 0),
    failures,
    named: readTestNames(reporter, lines),
    isWhole: !lines.includes(LINES_LEFT_OUT) && !BYTES_LEFT_OUT.test(output),
    signature:
      failures.length > 0 ? hashFacts(failures.map(failureFacts)) : hashFacts(lastLineFacts(lines, exitCode)),
  }
}

const hashFacts = (facts: readonly string[]): string =>
  createHash('sha256')
    .update([...facts].sort().join('\n\n'))
    .digest('hex')

const failureFacts = ({ name, message, frame }: TestFailure): string =>
  [name, frame?.replace(/:\d+$/, '') ?? '', maskVariableParts(message)].join('\n')

/** If no test is named, the end of the output identifies the failure. */
const lastLineFacts = (lines: readonly string[], exitCode: number): string[] => [
  `exit ${exitCode}`,
  ...lines
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .map(maskVariableParts),
]

/** Masks parts that differ between runs: addresses, numbers and paths. */
const maskVariableParts = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/(?<![\w.])\/[\w@.+~/-]{1,300}/g, '/…')
    .replace(/\b(0x[0-9a-f]+|[0-9a-f]{8,})\b/gi, '#')
    .replace(/\d+/g, '#')
