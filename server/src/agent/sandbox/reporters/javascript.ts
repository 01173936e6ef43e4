// Jest, Vitest and Mocha.
import { blockAfter, countIn, distinct, type Failure, failureFrom, type Reporter, sumOf } from './reporter.ts'

export const jest: Reporter = {
  name: 'jest',
  read(lines) {
    const sums = lines.filter((line) => /^Tests: .*\btotal$/.test(line))
    if (sums.length === 0) return null
    const suites = lines.filter((line) => /^Test Suites: .*\btotal$/.test(line))
    return {
      passed: total(sums, /(\d{1,7}) passed/),
      // A file that cannot be loaded has no tests, and fails all the same.
      failed: total(sums, /(\d{1,7}) failed/) || total(suites, /(\d{1,7}) failed/),
      failures: distinct(blocks(lines, /^ {2}● (.{1,400})$/, /^ {2}● |^(Test Suites|Tests): |^(PASS|FAIL) /)),
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
      passed: total(sums, /(\d{1,7}) passed/),
      failed: total(sums, /(\d{1,7}) failed/) || total(files, /(\d{1,7}) failed/),
      failures: distinct(blocks(lines, /^ FAIL {2}(.{1,400})$/, /^ FAIL {2}|^⎯/)),
    }
  },
}

export const mocha: Reporter = {
  name: 'mocha',
  read(lines) {
    const passed = sumOf(lines, /^ {2}(\d{1,7}) passing \(/)
    if (passed === null) return null
    const failed = sumOf(lines, /^ {2}(\d{1,7}) failing$/) ?? 0
    return { passed, failed, failures: distinct(mochaFailures(lines)) }
  },
}

const total = (lines: readonly string[], pattern: RegExp): number =>
  lines.reduce((sum, line) => sum + countIn(line, pattern), 0)

function* blocks(lines: readonly string[], title: RegExp, end: RegExp): Generator<Failure> {
  for (const [i, line] of lines.entries()) {
    const name = title.exec(line)?.[1]
    if (name !== undefined)
      yield failureFrom(
        name,
        blockAfter(lines, i, (next) => end.test(next)),
      )
  }
}

/** The name goes over several lines, from the outermost suite to the test, which ends in a colon. */
function* mochaFailures(lines: readonly string[]): Generator<Failure> {
  const start = lines.findIndex((line) => /^ {2}\d{1,7} failing$/.test(line))
  if (start === -1) return
  for (let i = start + 1; i < lines.length; i++) {
    const first = /^ {2}\d{1,7}\) (.{1,400})$/.exec(lines[i] ?? '')?.[1]
    if (first === undefined) continue
    const block = blockAfter(lines, i, (line) => /^ {2}\d{1,7}\) /.test(line))
    const nameEnd = first.endsWith(':') ? -1 : block.findIndex((line) => line.endsWith(':'))
    const name = [first, ...block.slice(0, nameEnd + 1)].map((part) => part.trim()).join(' ')
    yield failureFrom(name.replace(/:$/, ''), block.slice(nameEnd + 1))
  }
}
