// Reads pytest and unittest.
import {
  blockAfter,
  dropDuplicates,
  findFrame,
  type Reporter,
  readCount,
  type TestFailure,
  toTestFailure,
} from './reporter.ts'

export const pytest: Reporter = {
  name: 'pytest',
  read(lines) {
    const sums = lines.map((line) => line.replace(/^=+ | =+$/g, '')).filter(isSummary)
    if (sums.length === 0) return null
    const add = (pattern: RegExp) => sums.reduce((sum, line) => sum + readCount(line, pattern), 0)
    return {
      passed: add(/(?:^|, )(\d{1,7}) passed/),
      failed: add(/(?:^|, )(\d{1,7}) failed/) + add(/(?:^|, )(\d{1,7}) errors?\b/),
      failures: dropDuplicates(readPytestFailures(lines)),
    }
  },
}

export const unittest: Reporter = {
  name: 'unittest',
  read(lines) {
    const ran = lines.flatMap((line, i) => (/^Ran \d{1,7} tests? in [\d.]+s$/.test(line) ? i : []))
    if (ran.length === 0) return null
    let passed = 0
    let failed = 0
    for (const at of ran.slice(-RUNS_MAX)) {
      const result =
        blockAfter(lines, at, (line) => line.startsWith('Ran '), 4).find((line) => line !== '') ?? ''
      const count = (pattern: RegExp) => readCount(result, pattern)
      const bad = count(FAILURES) + count(ERRORS) + count(UNEXPECTED)
      const ranHere = readCount(lines[at] ?? '', /^Ran (\d{1,7})/)
      failed += bad
      passed += Math.max(0, ranHere - bad - count(SKIPPED) - count(EXPECTED))
    }
    return { passed, failed, failures: dropDuplicates(readUnittestFailures(lines)) }
  },
}

// Only the last runs of one command are counted.
const RUNS_MAX = 500
const FAILURES = /\bfailures=(\d{1,7})/
const ERRORS = /\berrors=(\d{1,7})/
const UNEXPECTED = /\bunexpected successes=(\d{1,7})/
const SKIPPED = /\bskipped=(\d{1,7})/
const EXPECTED = /\bexpected failures=(\d{1,7})/

/** Such as "2 failed, 1 passed, 1 warning in 1.36s" and "no tests ran in 0.01s". */
function isSummary(line: string): boolean {
  const [, counts] = /^(.{1,200}) in \d[\d.]*s(?: \([\d:]+\))?$/.exec(line) ?? []
  if (counts === undefined) return false
  return counts === 'no tests ran' || counts.split(', ').every((part) => PART.test(part))
}

const PART =
  /^\d{1,7} (passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected|rerun|subtests passed)$/

function* readPytestFailures(lines: readonly string[]): Generator<TestFailure> {
  for (const line of lines) {
    const [, id, message] = /^(?:FAILED|ERROR) (\S{1,400})(?: - (.{0,600}))?$/.exec(line) ?? []
    if (id === undefined) continue
    const block = findPytestBlock(lines, id.split('::').slice(1).join('.'))
    const frame = findFrame(block.filter((next) => /^\S+:\d+: /.test(next)).reverse())
    const raised = block.find((next) => next.startsWith('E  '))?.slice(1)
    yield { ...toTestFailure(id, [message ?? raised ?? '']), ...(frame === undefined ? {} : { frame }) }
  }
}

function findPytestBlock(lines: readonly string[], title: string): string[] {
  const at =
    title === '' ? -1 : lines.findIndex((line) => line.startsWith('___') && line.includes(` ${title} `))
  return at === -1 ? [] : blockAfter(lines, at, (line) => /^(___|===)/.test(line), 200)
}

/** Python prints the most recent call last, then the exception. */
function* readUnittestFailures(lines: readonly string[]): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    const name = /^(?:ERROR|FAIL): (.{1,400})$/.exec(line)?.[1]
    if (name === undefined || !lines[i - 1]?.startsWith('=====')) continue
    const block = blockAfter(lines, i, (next) => /^={20}|^Ran \d/.test(next), 200)
    const frame = findFrame(block.filter((next) => next.includes('File "')).reverse())
    const isRaised = (next: string) =>
      /^[\w.]{1,200}(Error|Exception|Warning|Exit|Interrupt|Failure)\b/.test(next)
    const message = block.filter((next, at) => isRaised(next) || (at > 0 && isRaised(block[at - 1] ?? '')))
    yield { ...toTestFailure(name, message), ...(frame === undefined ? {} : { frame }) }
  }
}
