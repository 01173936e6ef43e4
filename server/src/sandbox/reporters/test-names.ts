// Reads the names of tests, to check that the tests of one run are there in the next. Runners that name only failing
// tests yield none.

export type TestNames = { readonly passed: ReadonlySet<string>; readonly failed: ReadonlySet<string> }

type TestResult = readonly [name: string, hasPassed: boolean]

const NAMES_MAX = 10_000
const NAME_CHARACTERS_MAX = 300

/** The test names in the output of a runner. */
export function readTestNames(reporter: string | null, lines: readonly string[]): TestNames {
  const read = reporter === null ? undefined : READERS[reporter]?.(lines)
  const [passed, failed] = [new Set<string>(), new Set<string>()]
  if (read === undefined) return { passed, failed }
  for (const line of lines) {
    if (passed.size + failed.size >= NAMES_MAX) break
    const result = read(line)
    if (result === null || isFile(result[0])) continue
    const [name, hasPassed] = result
    ;(hasPassed ? passed : failed).add(name.trim().slice(0, NAME_CHARACTERS_MAX))
  }
  return { passed, failed }
}

/**
 * A file that could not be loaded is reported under its path or as a failed import; once it loads, its tests have their
 * own names.
 */
const isFile = (name: string): boolean =>
  /\.[cm]?[jt]sx?$|\b_FailedTest\b|^(setUp|tearDown)(Class|Module) \(/.test(name) || name === 'failing tests:'

type LineReader = (line: string) => TestResult | null
/** Gets all lines, because some runners show at the start whether they name their tests. */
const READERS: Readonly<Record<string, (lines: readonly string[]) => LineReader | undefined>> = {
  'node:test': () => (line) => specResult(line) ?? tapResult(line),
  tap: () => tapResult,
  jest: () => (line) => signed(/^\s{1,80}([✓√✕×]) (.{1,400}?)(?: \([\d.]{1,12} m?s\))?$/, '✓√', line),
  mocha: (lines) => (lines.some((line) => /^ {4}[✔✓] /.test(line)) ? mochaResult() : undefined),
  pytest: (lines) => (lines.some((line) => line.startsWith('PASSED ')) ? pytestSummary : pytestResult),
  unittest: () => unittestResult,
  'go test': (lines) => (lines.some((line) => line.startsWith('=== RUN ')) ? goResult : undefined),
  'cargo test': () => cargoResult,
  junit: junitResult,
}

function signed(pattern: RegExp, good: string, line: string): TestResult | null {
  const [, sign, name] = pattern.exec(line) ?? []
  return sign === undefined || name === undefined ? null : [name, good.includes(sign)]
}

const EXCUSED = /# (skip|todo)\b/i
const SPEC = /^\s{0,80}([✔✖]) (.{1,400}?)(?: \([\d.]{1,20}m?s\))?$/
const TAP = /^\s{0,80}(not )?ok \d{1,7}(?: - | )([^#]{1,400})/

const specResult: LineReader = (line) => (EXCUSED.test(line) ? null : signed(SPEC, '✔', line))

const tapResult: LineReader = (line) => {
  const [whole, not, name] = TAP.exec(line) ?? []
  return whole === undefined || name === undefined || EXCUSED.test(line) ? null : [name, not === undefined]
}

/** After the tree of all tests, Mocha prints the failed ones again under other names. */
function mochaResult(): LineReader {
  let isOver = false
  return (line) => {
    isOver ||= /^ {2}\d{1,7} passing \(/.test(line)
    if (isOver) return null
    const failed = /^\s{4,80}\d{1,7}\) (.{1,400})$/.exec(line)?.[1]
    if (failed !== undefined) return / hook( for |$)/.test(failed) ? null : [failed, false]
    return signed(/^\s{4,80}([✔✓]) (.{1,400}?)(?: \(\d{1,9}ms\))?$/, '✔✓', line)
  }
}

const PYTEST = /^(\S{1,200}::.{1,300}?) (PASSED|FAILED|ERROR)(?: +\[ *\d{1,3}%\])?$/
const PYTEST_WORKER = /^\[gw\d{1,3}\] \[ *\d{1,3}%\] (PASSED|FAILED|ERROR) (\S{1,200}::.{1,300})$/

const pytestResult: LineReader = (line) => {
  const [, name, result] = PYTEST.exec(line) ?? []
  if (name !== undefined) return [name, result === 'PASSED']
  const [, byWorker, nameThen] = PYTEST_WORKER.exec(line) ?? []
  return nameThen === undefined ? null : [nameThen.trimEnd(), byWorker === 'PASSED']
}

/** The summary of `-rA` or `-rap` names the tests that passed as well. */
const pytestSummary: LineReader = (line) => {
  const [, result, name] = /^(PASSED|FAILED|ERROR) (\S{1,200}::.{1,300}?)(?: - .*)?$/.exec(line) ?? []
  return name === undefined ? null : [name, result === 'PASSED']
}

/** A test's own output stands between its name and its result, so anything but a failure may follow. */
const unittestResult: LineReader = (line) => {
  const [, name, result = ''] = /^(.{1,300}?) \.\.\. (.{0,80})/.exec(line) ?? []
  if (name === undefined || /^(skipped|expected failure)/.test(result)) return null
  return [name, !/^(FAIL|ERROR|unexpected success)/.test(result)]
}

const goResult: LineReader = (line) => {
  const [, result, name] = /^\s{0,40}--- (PASS|FAIL): (\S{1,300}) \(/.exec(line) ?? []
  return name === undefined ? null : [name, result === 'PASS']
}

const cargoResult: LineReader = (line) => {
  const [, name, result] = /^test (.{1,300}?)(?: - should panic)? \.\.\. (ok|FAILED)$/.exec(line) ?? []
  return name === undefined ? null : [name, result === 'ok']
}

/** In report files, the result of a test follows its name. */
function junitResult(lines: readonly string[]): LineReader {
  const [failed, skipped] = [new Set<string>(), new Set<string>()]
  let last = ''
  for (const line of lines) {
    last = junitName(line) ?? last
    if (/^<(failure|error)\b/.test(line)) failed.add(last)
    if (/^<skipped\b/.test(line)) skipped.add(last)
  }
  return (line) => {
    const name = junitName(line)
    return name === null || skipped.has(name) ? null : [name, !failed.has(name)]
  }
}

function junitName(line: string): string | null {
  if (!line.startsWith('<testcase ')) return null
  const read = (attribute: string) => new RegExp(` ${attribute}="([^"]{1,300})"`).exec(line)?.[1] ?? ''
  return `${read('classname')}.${read('name')}`
}
