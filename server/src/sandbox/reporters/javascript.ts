// Reads Jest, Vitest and Mocha.
import {
  blockAfter,
  dropDuplicates,
  type Reporter,
  readCount,
  sumMatches,
  type TestFailure,
  toTestFailure,
} from './reporter.ts'

export const jest: Reporter = {
  name: 'jest',
  read(lines) {
    const sums = lines.filter((line) => /^Tests: .*\btotal$/.test(line))
    if (sums.length === 0) return null
    const suites = lines.filter((line) => /^Test Suites: .*\btotal$/.test(line))
    return {
      passed: sumCounts(sums, /(\d{1,7}) passed/),
      // A file that cannot be loaded has no tests, but it fails.
      failed: sumCounts(sums, /(\d{1,7}) failed/) || sumCounts(suites, /(\d{1,7}) failed/),
      failures: dropDuplicates(
        readBlocks(lines, /^ {2}● (.{1,400})$/, /^ {2}● |^(Test Suites|Tests): |^(PASS|FAIL) /),
      ),
    }
  },
}

export const vitest: Reporter = {
  name: 'vitest',
  read(lines) {
    const sums = lines.filter((line) => /^ +Tests {2}.*(\(\d+\)|no tests)$/.test(line))
    if (sums.length === 0) return null
    const files = lines.filter((line) => /^ +Test Files {2}/.test(line))
    return {
      passed: sumCounts(sums, /(\d{1,7}) passed/),
      failed: sumCounts(sums, /(\d{1,7}) failed/) || sumCounts(files, /(\d{1,7}) failed/),
      failures: dropDuplicates(readBlocks(lines, /^ FAIL {2}(.{1,400})$/, /^ FAIL {2}|^⎯/)),
    }
  },
}

export const mocha: Reporter = {
  name: 'mocha',
  read(lines) {
    const passed = sumMatches(lines, /^ {2}(\d{1,7}) passing \(/)
    if (passed === null) return null
    const failed = sumMatches(lines, /^ {2}(\d{1,7}) failing$/) ?? 0
    return { passed, failed, failures: dropDuplicates(readMochaFailures(lines)) }
  },
}

const sumCounts = (lines: readonly string[], pattern: RegExp): number =>
  lines.reduce((sum, line) => sum + readCount(line, pattern), 0)

function* readBlocks(lines: readonly string[], title: RegExp, end: RegExp): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    const name = title.exec(line)?.[1]
    if (name !== undefined)
      yield toTestFailure(
        name,
        blockAfter(lines, i, (next) => end.test(next)),
      )
  }
}

/** The name spans several lines, from the outermost suite to the test, and ends in a colon. */
function* readMochaFailures(lines: readonly string[]): Generator<TestFailure> {
  const start = lines.findIndex((line) => /^ {2}\d{1,7} failing$/.test(line))
  if (start === -1) return
  for (let i = start + 1; i < lines.length; i++) {
    const first = /^ {2}\d{1,7}\) (.{1,400})$/.exec(lines[i] ?? '')?.[1]
    if (first === undefined) continue
    const block = blockAfter(lines, i, (line) => /^ {2}\d{1,7}\) /.test(line))
    const nameEnd = first.endsWith(':') ? -1 : block.findIndex((line) => line.endsWith(':'))
    const name = [first, ...block.slice(0, nameEnd + 1)].map((part) => part.trim()).join(' ')
    yield toTestFailure(name.replace(/:$/, ''), block.slice(nameEnd + 1))
  }
}
