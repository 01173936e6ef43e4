// What the output of a test run says: how many tests passed, which failed and where, whatever runner wrote it.
import { createHash } from 'node:crypto'
import { LINES_LEFT_OUT, plainLines, relativePaths } from './condense.ts'
import { BYTES_LEFT_OUT } from './kept-output.ts'
import { go, junit, phpunit } from './reporters/compiled.ts'
import { jest, mocha, vitest } from './reporters/javascript.ts'
import { type Named, namesIn } from './reporters/names.ts'
import { nodeSpec, nodeTap, tap } from './reporters/node-test.ts'
import { pytest, unittest } from './reporters/python.ts'
import type { Failure, Reporter } from './reporters/reporter.ts'

export { condense } from './condense.ts'

export type TestReport = {
  /** Null: no runner that we know wrote this, and only the exit code says anything. */
  readonly reporter: string | null
  readonly passed: number
  readonly failed: number
  readonly failures: readonly Failure[]
  /** Tests that were named one by one, as some runners do and some do when they are told to. */
  readonly named: Named
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
export function readTests(output: string, exitCode: number): TestReport {
  const lines = plainLines(relativePaths(output))
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
    named: namesIn(reporter, lines),
    isWhole: !lines.includes(LINES_LEFT_OUT) && !BYTES_LEFT_OUT.test(output),
    signature:
      failures.length > 0 ? signatureOf(failures.map(factsOf)) : signatureOf(lastWords(lines, exitCode)),
  }
}

const signatureOf = (facts: readonly string[]): string =>
  createHash('sha256')
    .update([...facts].sort().join('\n\n'))
    .digest('hex')

const factsOf = ({ name, message, frame }: Failure): string =>
  [name, frame?.replace(/:\d+$/, '') ?? '', blank(message)].join('\n')

/** Where no test is named, the end of the output has to do. */
const lastWords = (lines: readonly string[], exitCode: number): string[] => [
  `exit ${exitCode}`,
  ...lines
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .map(blank),
]

/** Without what differs from run to run: addresses, numbers and places. */
const blank = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/(?<![\w.])\/[\w@.+~/-]{1,300}/g, '/…')
    .replace(/\b(0x[0-9a-f]+|[0-9a-f]{8,})\b/gi, '#')
    .replace(/\d+/g, '#')
