import { describe, expect, test } from 'vitest'
import type { CommandRun } from '../sandbox/command-run.ts'
import { endsProcess, judge } from './evidence.ts'

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

const PLAIN = { baseline: null, endsProcess: false }
const failing = judge(run(tap(['not ok 1 - adds', 'ok 2 - adds nothing'], 1, 1), 1), PLAIN)
const after = (output: string, exitCode = 0, endsItself = false) =>
  judge(run(output, exitCode), { baseline: failing, endsProcess: endsItself })

describe('a run that ends well', () => {
  test('shows that the tests pass when all of them ran', () => {
    const judged = after(tap(['ok 1 - adds', 'ok 2 - adds nothing'], 2, 0))
    expect(judged).toMatchObject({ passes: true, evidence: 'tests', failing: 0 })
  })

  test('shows it by its exit code alone where no runner is known, and says so', () => {
    expect(judge(run('fine'), PLAIN)).toMatchObject({ passes: true, evidence: 'exit-code' })
  })

  test.for<[string, string]>([
    ['tests failed all the same', tap(['not ok 1 - adds', 'ok 2 - adds nothing', 'ok 3 - more'], 2, 1)],
    ['no test ran', tap([], 0, 0)],
    ['nobody reports any more', ''],
    ['fewer tests passed than there were', tap(['ok 1 - adds'], 1, 0)],
    ['the tests that failed are not among them', tap(['ok 1 - add.test.mjs', 'ok 2 - another'], 2, 0)],
  ])('shows nothing when %s', ([, output]) => {
    expect(after(output)).toMatchObject({ passes: false, evidence: null, failing: Number.POSITIVE_INFINITY })
  })

  test('shows nothing when the change ends the process and the tests are not named', () => {
    const circumstances = { baseline: judge(run(pytest('1 failed, 2 passed'), 1), PLAIN), endsProcess: true }
    expect(judge(run(pytest('3 passed')), circumstances).passes).toBe(false)
    expect(judge(run(pytest('3 passed')), { ...circumstances, endsProcess: false }).passes).toBe(true)
  })

  test('shows that a program may end itself when every test is named', () => {
    expect(after(tap(['ok 1 - adds', 'ok 2 - adds nothing'], 2, 0), 0, true).passes).toBe(true)
  })

  test('has no test missing where a file could not be loaded before', () => {
    const baseline = judge(run(tap(['not ok 1 - src/add.test.mjs'], 0, 1), 1), PLAIN)
    const judged = judge(run(tap(['ok 1 - adds'], 1, 0)), { baseline, endsProcess: false })
    expect(judged.passes).toBe(true)
  })
})

describe('a run that ends badly', () => {
  test('counts what failed, and knows the same failure again', () => {
    expect(failing).toMatchObject({ passes: false, failing: 1, report: { passed: 1, failed: 1 } })
    const again = after(tap(['not ok 1 - adds', 'ok 2 - adds nothing'], 1, 1), 1)
    expect(again.signature).toBe(failing.signature)
  })

  test('cannot be counted where no runner is known', () => {
    expect(judge(run('boom', 1), PLAIN).failing).toBe(Number.POSITIVE_INFINITY)
  })

  test.for<[string, Partial<CommandRun>, string]>([
    ['took too long', { outcome: 'timed_out', durationMs: 120_000 }, 'did not end within 120 seconds'],
    ['was too greedy', { outcome: 'limit', limit: 'memory' }, 'the limit on memory'],
  ])('says that it %s, whatever it printed', ([, more, words]) => {
    const judged = judge(run(tap(['ok 1 - adds'], 1, 0), null, more), PLAIN)
    expect(judged).toMatchObject({ passes: false, failing: Number.POSITIVE_INFINITY })
    expect(judged.excerpt).toContain(words)
  })
})

test.for([
  'process.exit(0)',
  'process.exit()',
  'process?.exit(0)',
  "process['exit'](0)",
  'process.exitCode = 0',
  'process.exit(code)',
  '  sys.exit()',
  'os._exit(0)',
  'os.Exit(0)',
  'System.exit(0);',
  'exit();',
  'die("done");',
  'raise SystemExit',
])('%s ends a process', (line) => {
  expect(endsProcess(['const a = 1', line])).toBe(true)
})

test.for([
  'process.exit(1)',
  'sys.exit(2)',
  "child.on('exit', done)",
  'const exitCode = 3',
  'editor.exit(mode)',
  'os.Exit(1)',
])('%s does not end a process well', (line) => {
  expect(endsProcess([line])).toBe(false)
})
