// Reads the test runner of Node.js, in its spec and TAP formats, and TAP of other runners.
import {
  blockAfter,
  dropDuplicates,
  findFrame,
  type Reporter,
  sumMatches,
  type TestFailure,
  toTestFailure,
} from './reporter.ts'

export const nodeSpec: Reporter = {
  name: 'node:test',
  read(lines) {
    const passed = sumMatches(lines, /^ℹ pass (\d{1,7})$/)
    const failed = sumMatches(lines, /^ℹ (?:fail|cancelled) (\d{1,7})$/)
    if (passed === null || failed === null) return null
    return { passed, failed, failures: dropDuplicates(readSpecFailures(lines)) }
  },
}

export const nodeTap: Reporter = {
  name: 'node:test',
  read(lines) {
    const passed = sumMatches(lines, /^# pass (\d{1,7})$/)
    const failed = sumMatches(lines, /^# (?:fail|cancelled) (\d{1,7})$/)
    if (passed === null || failed === null) return null
    return { passed, failed, failures: dropDuplicates(readTapFailures(lines)) }
  },
}

/** TAP without the totals of Node.js: counts the outermost tests. */
export const tap: Reporter = {
  name: 'tap',
  read(lines) {
    if (!lines.some((line) => /^TAP version \d/.test(line)) || nodeTap.read(lines)) return null
    const results = lines.filter((line) => /^(not )?ok \d/.test(line))
    const failed = results.filter((line) => line.startsWith('not') && !IS_EXCUSED.test(line)).length
    const excused = results.filter((line) => IS_EXCUSED.test(line)).length
    return {
      passed: results.length - failed - excused,
      failed,
      failures: dropDuplicates(readTapFailures(lines)),
    }
  },
}

const IS_EXCUSED = / # (skip|todo)\b/i

function* readSpecFailures(lines: readonly string[]): Generator<TestFailure> {
  const start = lines.indexOf('✖ failing tests:')
  if (start === -1) return
  for (let i = start + 1; i < lines.length; i++) {
    const name = /^✖ (.{1,400})$/.exec(lines[i] ?? '')?.[1]?.replace(/ \([\d.]{1,20}ms\)$/, '')
    if (name !== undefined)
      yield toTestFailure(
        name,
        blockAfter(lines, i, (line) => /^(test at |✖ )/.test(line)),
      )
  }
}

function* readTapFailures(lines: readonly string[]): Generator<TestFailure> {
  for (const [i, line] of lines.entries()) {
    const [, indent = '', name] = /^(\s{0,80})not ok \d{1,7}(?: - |\s)(.{0,400})$/.exec(line) ?? []
    if (name === undefined || IS_EXCUSED.test(line)) continue
    const block = blockAfter(lines, i, (next) => next === `${indent}  ...`)
    // A suite fails because of a test inside it, which is already listed.
    if (block.some((next) => next.includes("failureType: 'subtestsFailed'"))) continue
    const frame = findFrame(block.slice(block.findIndex((next) => next.trim().startsWith('stack:')) + 1))
    yield { ...toTestFailure(name, readTapError(block)), ...(frame === undefined ? {} : { frame }) }
  }
}

/** The error of a TAP block: on its own line, or indented below it. */
function readTapError(block: readonly string[]): string[] {
  const at = block.findIndex((line) => /^\s*error: /.test(line))
  const line = block[at] ?? ''
  if (!/error: [|>]-?$/.test(line)) return [line.replace(/^\s*error: /, '').replace(/^'(.*)'$/, '$1')]
  const depth = line.length - line.trimStart().length
  return blockAfter(block, at, (next) => next.trim() !== '' && next.length - next.trimStart().length <= depth)
}
