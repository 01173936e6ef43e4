import { describe, expect, test } from 'vitest'
import type { CommandRun } from '../../../sandbox/sandbox.ts'
import { BASELINE_MS, judgeTestRun } from './test-verdict.ts'

const run = (output: string, exitCode: number | null = 0, more: Partial<CommandRun> = {}): CommandRun => ({
  outcome: 'exited',
  exitCode,
  limit: null,
  output,
  durationMs: 100,
  ...more,
})
const tap = (results: readonly string[], passed: number, failed: number) =>
  ['TAP version 13', ...results, `# pass ${passed}`, `# fail ${failed}`, '# cancelled 0'].join('\n')
const pytest = (summary: string) => `collected 3 items\n\n======== ${summary} in 0.01s ========\n`

const PLAIN = { baseline: null, tampering: null }
const failing = judgeTestRun(run(tap(['not ok 1 - adds', 'ok 2 - adds nothing'], 1, 1), 1), PLAIN)
const after = (output: string, exitCode = 0, tampering: string | null = null) =>
  judgeTestRun(run(output, exitCode), { baseline: failing, tampering: tampering })

describe('a run that exits with success', () => {
  test('proves that the tests pass when all of them ran', () => {
    const judged = after(tap(['ok 1 - adds', 'ok 2 - adds nothing'], 2, 0))
    expect(judged).toMatchObject({ passes: true, evidence: 'tests', failing: 0 })
  })

  test('is proven only by the exit code for an unknown runner, and the evidence names it', () => {
    expect(judgeTestRun(run('fine'), PLAIN)).toMatchObject({ passes: true, evidence: 'exit-code' })
  })

  test.for<[string, string]>([
    ['tests failed all the same', tap(['not ok 1 - adds', 'ok 2 - adds nothing', 'ok 3 - more'], 2, 1)],
    ['no test ran', tap([], 0, 0)],
    ['the runner no longer reports', ''],
    ['fewer tests passed than there were', tap(['ok 1 - adds'], 1, 0)],
    ['the tests that failed are not among them', tap(['ok 1 - add.test.mjs', 'ok 2 - another'], 2, 0)],
  ])('proves nothing when %s', ([, output]) => {
    expect(after(output)).toMatchObject({ passes: false, evidence: null, failing: Number.POSITIVE_INFINITY })
  })

  test('proves nothing after a change that tampers with it, for any runner', () => {
    const tampering = 'It ends the process.'
    const baseline = judgeTestRun(run(pytest('1 failed, 2 passed'), 1), PLAIN)
    expect(judgeTestRun(run(pytest('3 passed')), { baseline, tampering: null }).passes).toBe(true)
    expect(judgeTestRun(run(pytest('3 passed')), { baseline, tampering: tampering })).toMatchObject({
      passes: false,
      excerpt: expect.stringContaining(tampering),
    })
    expect(after(tap(['ok 1 - adds', 'ok 2 - adds nothing'], 2, 0), 0, tampering).passes).toBe(false)
    expect(
      judgeTestRun(run('fine'), { baseline: judgeTestRun(run('boom', 1), PLAIN), tampering: tampering })
        .passes,
    ).toBe(false)
  })

  test('proves nothing when a test that had passed was replaced, and names it', () => {
    const judged = after(tap(['ok 1 - adds', 'ok 2 - adds something'], 2, 0))
    expect(judged).toMatchObject({ passes: false, excerpt: expect.stringContaining('adds nothing') })
  })

  test('proves nothing when names are lost in too much output', () => {
    const flood = `${'x\n'.repeat(20_000)}${tap(['ok 1 - adds', 'ok 2 - adds nothing'], 2, 0)}`
    expect(after(flood).passes).toBe(false)
  })

  test('that already succeeded before any change is evidence only by its tests', () => {
    const green = judgeTestRun(run('fine'), PLAIN)
    expect(judgeTestRun(run('fine'), { baseline: green, tampering: null })).toMatchObject({
      passes: true,
      evidence: 'passed-before',
    })
    const tested = judgeTestRun(run(pytest('3 passed')), PLAIN)
    expect(judgeTestRun(run(pytest('3 passed')), { baseline: tested, tampering: null })).toMatchObject({
      passes: true,
      evidence: 'tests',
    })
  })

  test('proves nothing by its exit code when it took longer than the first run', () => {
    const late = judgeTestRun(run('', null, { outcome: 'timed_out', durationMs: BASELINE_MS }), PLAIN)
    const slow = run('fine', 0, { durationMs: BASELINE_MS + 1 })
    expect(judgeTestRun(slow, { baseline: late, tampering: null }).passes).toBe(false)
    expect(judgeTestRun(run('fine'), { baseline: late, tampering: null })).toMatchObject({
      evidence: 'exit-code',
    })
  })

  test('has no missing test when a file could not be loaded before', () => {
    const baseline = judgeTestRun(run(tap(['not ok 1 - src/add.test.mjs'], 0, 1), 1), PLAIN)
    const judged = judgeTestRun(run(tap(['ok 1 - adds'], 1, 0)), { baseline, tampering: null })
    expect(judged.passes).toBe(true)
  })
})

describe('a run that fails', () => {
  test('counts the failures, and recognises the same failure again', () => {
    expect(failing).toMatchObject({ passes: false, failing: 1, report: { passed: 1, failed: 1 } })
    const again = after(tap(['not ok 1 - adds', 'ok 2 - adds nothing'], 1, 1), 1)
    expect(again.signature).toBe(failing.signature)
  })

  test('cannot be counted for an unknown runner', () => {
    expect(judgeTestRun(run('boom', 1), PLAIN).failing).toBe(Number.POSITIVE_INFINITY)
  })

  test.for<[string, Partial<CommandRun>, string]>([
    ['took too long', { outcome: 'timed_out', durationMs: 120_000 }, 'did not end within 120 seconds'],
    ['was too greedy', { outcome: 'limit', limit: 'memory' }, 'the limit on memory'],
  ])('reports that it %s, regardless of its output', ([, more, words]) => {
    const judged = judgeTestRun(run(tap(['ok 1 - adds'], 1, 0), null, more), PLAIN)
    expect(judged).toMatchObject({ passes: false, failing: Number.POSITIVE_INFINITY })
    expect(judged.excerpt).toContain(words)
  })
})
