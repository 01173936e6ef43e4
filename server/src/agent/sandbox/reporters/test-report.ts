// What the output of a test run says: how many tests passed, which failed and where, whatever runner wrote it.
import { createHash } from 'node:crypto'
import { BYTES_LEFT_OUT } from '../bounded-output.ts'
import { go, junit, phpunit } from './compiled.ts'
import { LINES_LEFT_OUT, toPlainLines, toRelativePaths } from './condense.ts'
import { jest, mocha, vitest } from './javascript.ts'
import { nodeSpec, nodeTap, tap } from './node-test.ts'
import { pytest, unittest } from './python.ts'
import type { Reporter, TestFailure } from './reporter.ts'
import { readTestNames, type TestNames } from './test-names.ts'

export { condenseOutput } from './condense.ts'

export type TestReport = {
  /** Null: no runner that we know wrote this, and only the exit code says anything. */
  readonly reporter: string | null
  readonly passed: number
  readonly failed: number
  readonly failures: readonly TestFailure[]
  /** Tests that were named one by one, as some runners do and some do when they are told to. */
  readonly named: TestNames
  /** False: there was more than could be kept or read, so names may be missing. */
  readonly isWhole: boolean
  /** The same for the same failures, wherever the lines have moved and however long it took. */
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
  phpunit,
  junit,
]
const LAST_LINES = 20

/** A command may start several runners; then their tests are counted together, under the name of the first. */
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

/** Where no test is named, the end of the output has to do. */
const lastLineFacts = (lines: readonly string[], exitCode: number): string[] => [
  `exit ${exitCode}`,
  ...lines
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .map(maskVariableParts),
]

/** Without what differs from run to run: addresses, numbers and places. */
const maskVariableParts = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/(?<![\w.])\/[\w@.+~/-]{1,300}/g, '/…')
    .replace(/\b(0x[0-9a-f]+|[0-9a-f]{8,})\b/gi, '#')
    .replace(/\d+/g, '#')
