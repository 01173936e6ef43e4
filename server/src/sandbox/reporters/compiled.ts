// Reads Go, Cargo, JUnit (Maven, Gradle, its own console and its files) and PHPUnit.
import {
  blockAfter,
  dropDuplicates,
  type Reporter,
  readCount,
  type TestFailure,
  toTestFailure,
} from './reporter.ts'

export const go: Reporter = {
  name: 'go test',
  read(lines) {
    const packages = lines.filter((line) => /^(ok {2}\t|FAIL\t)/.test(line))
    const passes = lines.filter((line) => /^\s*--- PASS: /.test(line)).length
    const failures = readGoFailures(lines)
    if (packages.length === 0 && passes === 0 && failures.length === 0) return null
    // Without -v, Go names only failing tests. A package that is ok had tests unless it says otherwise.
    const sound = packages.filter(
      (line) => line.startsWith('ok') && !line.includes('[no tests to run]'),
    ).length
    const broken = packages.filter((line) => line.startsWith('FAIL')).length
    // Then packages are counted, passing and failing alike, so that runs can be compared.
    const isByTest = passes > 0 || lines.some((line) => line.startsWith('=== RUN '))
    const failed = isByTest ? failures.length || broken : broken || failures.length
    return { passed: passes || sound, failed, failures: dropDuplicates(failures) }
  },
}

/** Cargo prints one result for each test binary. */
export const cargo: Reporter = {
  name: 'cargo test',
  read(lines) {
    const sums = lines.filter((line) => /^test result: (ok|FAILED)\. \d/.test(line))
    if (sums.length === 0) return null
    const add = (pattern: RegExp) => sums.reduce((sum, line) => sum + readCount(line, pattern), 0)
    return {
      passed: add(/ (\d{1,7}) passed;/),
      failed: add(/ (\d{1,7}) failed;/),
      failures: dropDuplicates(readCargoFailures(lines)),
    }
  },
}

function* readCargoFailures(lines: readonly string[]): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    const name = /^---- (\S{1,300}) stdout ----$/.exec(line)?.[1]
    if (name !== undefined)
      yield toTestFailure(
        name,
        blockAfter(lines, i, (next) => /^(---- |failures:|test result: )/.test(next)),
      )
  }
}

export const junit: Reporter = {
  name: 'junit',
  read(lines) {
    const files = readJunitFiles(lines)
    if (files !== null) return { ...files, failures: dropDuplicates(readJunitFailures(lines)) }
    const runs = lines.filter((line) => /\bTests run: \d/.test(line))
    // Maven prints a line with the time for each class, and one total.
    const totals = runs.filter((line) => !line.includes('Time elapsed'))
    const read =
      readSurefire(totals.length > 0 ? totals : runs) ?? readJunitConsole(lines) ?? readGradle(lines)
    return read && { ...read, failures: dropDuplicates(readJunitFailures(lines)) }
  },
}

export const phpunit: Reporter = {
  name: 'phpunit',
  read(lines) {
    const sums = lines.filter((line) =>
      /^(OK \(\d+ tests?, \d+ assertions?\)|Tests: \d+, Assertions: \d+)/.test(line),
    )
    if (sums.length === 0) return null
    let passed = 0
    let failed = 0
    for (const line of sums) {
      const bad = readCount(line, /Failures: (\d{1,7})/) + readCount(line, /Errors: (\d{1,7})/)
      const idle = readCount(line, /Skipped: (\d{1,7})/) + readCount(line, /Incomplete: (\d{1,7})/)
      failed += bad
      passed += Math.max(0, readCount(line, /^(?:OK \(|Tests: )(\d{1,7})/) - bad - idle)
    }
    return {
      passed,
      failed,
      failures: dropDuplicates(readNumberedFailures(lines, /^\d{1,7}\) (\S{1,200}::.{1,200})$/)),
    }
  },
}

function readGoFailures(lines: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = []
  for (const [i, line] of lines.entries()) {
    const name =
      /^\s{0,40}--- FAIL: (\S{1,300}) \(/.exec(line)?.[1] ?? /^FAIL\t(\S{1,300}) \[/.exec(line)?.[1]
    if (name !== undefined)
      failures.push(
        toTestFailure(
          name,
          blockAfter(lines, i, (next) => GO_END.test(next)),
        ),
      )
    if (failures.length === 500) break
  }
  // A parent test fails because of a subtest, which is listed itself.
  const names = failures.map((failure) => failure.name)
  return failures.filter(({ name }) => !names.some((other) => other.startsWith(`${name}/`)))
}

const GO_END = /^\s*(---|===) |^(FAIL|PASS|ok)\b/

type PassFailCounts = { passed: number; failed: number }

function readSurefire(lines: readonly string[]): PassFailCounts | null {
  if (lines.length === 0) return null
  const add = (pattern: RegExp) => lines.reduce((sum, line) => sum + readCount(line, pattern), 0)
  const failed = add(/Failures:\s+(\d{1,7})/) + add(/Errors:\s+(\d{1,7})/)
  return { passed: Math.max(0, add(/Tests run: (\d{1,7})/) - failed - add(/Skipped:\s+(\d{1,7})/)), failed }
}

/** The suites of report files. They name all tests, so they count instead of the console. */
function readJunitFiles(lines: readonly string[]): PassFailCounts | null {
  const suites = lines.filter((line) => line.startsWith('<testsuite '))
  if (suites.length === 0) return null
  const add = (name: string) =>
    suites.reduce((sum, line) => sum + readCount(line, new RegExp(` ${name}="(\\d{1,7})"`)), 0)
  const failed = add('failures') + add('errors')
  return { passed: Math.max(0, add('tests') - failed - add('skipped')), failed }
}

/** "[ 3 tests successful ]", or the older "OK (3 tests)". */
function readJunitConsole(lines: readonly string[]): PassFailCounts | null {
  const find = (pattern: RegExp) => lines.find((line) => pattern.test(line))
  const passed = find(/^\[ *\d+ tests successful/) ?? find(/^OK \(\d+ tests?\)$/)
  if (passed === undefined) return null
  return {
    passed: readCount(passed, /(\d{1,7}) test/),
    failed: readCount(find(/^\[ *\d+ tests failed/) ?? '', /(\d{1,7})/),
  }
}

function readGradle(lines: readonly string[]): PassFailCounts | null {
  const sum = lines.find((line) => /^\d{1,7} tests? completed, \d{1,7} failed/.test(line))
  if (sum === undefined) return null
  const failed = readCount(sum, /, (\d{1,7}) failed/)
  return {
    passed: Math.max(0, readCount(sum, /^(\d{1,7})/) - failed - readCount(sum, /, (\d{1,7}) skipped/)),
    failed,
  }
}

function* readJunitFailures(lines: readonly string[]): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    if (!/<<< (FAILURE|ERROR)!$/.test(line) || /Tests run: /.test(line)) continue
    const name = line.replace(/^\[ERROR\] */, '').split(/ +(?:-- )?Time elapsed/)[0] ?? line
    yield toTestFailure(
      name,
      blockAfter(lines, i, (next) => next === '' || next.startsWith('[ERROR]')),
    )
  }
  yield* readNumberedFailures(lines, /^\d{1,7}\) (\w{1,200}\([\w.$]{1,200}\))$/)
}

function* readNumberedFailures(lines: readonly string[], title: RegExp): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    const name = title.exec(line)?.[1]
    if (name !== undefined)
      yield toTestFailure(
        name,
        blockAfter(lines, i, (next) => /^\d{1,7}\) |^(FAILURES|ERRORS)!/.test(next)),
      )
  }
}
