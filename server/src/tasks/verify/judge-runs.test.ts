import { expect, test } from 'vitest'
import { judgeTestRun } from '../../agent/agent.ts'
import type { CommandRun } from '../../sandbox/sandbox.ts'
import { findNoTests, hasFailed, hasMoreTests } from './judge-runs.ts'
import { asksOnlyForTests, hasAssertion } from './new-tests.ts'
import type { TestRun } from './run-tests.ts'

function toRun(output: string, exitCode: number | null, more: Partial<CommandRun> = {}): TestRun {
  const run: CommandRun = { outcome: 'exited', exitCode, limit: null, output, durationMs: 1_000, ...more }
  return { run, verdict: judgeTestRun(run, { baseline: null, tampering: null }) }
}
const passing = toRun('2 passed in 0.1s', 0)

test.for<[what: string, run: TestRun, isFailure: boolean]>([
  ['a failing test', toRun('1 failed, 1 passed in 0.1s', 1), true],
  ['a program that does not compile', toRun('error[E0308]: mismatched types', 101), true],
  ['a script that fails', toRun('', 1), true],
  ['a check after the tests that fails', toRun('2 passed in 0.1s', 1), true],
  ['an endless loop', toRun('', null, { outcome: 'timed_out', durationMs: 180_000 }), true],
  ['slow tests', toRun('', null, { outcome: 'timed_out', durationMs: 1_500 }), false],
  ['a pass', passing, false],
  ['a missing command', toRun('sh: 1: jest: not found', 127), false],
  ['a missing command inside make', toRun('sh: 1: jest: not found\nmake: *** [test] Error 127', 2), false],
  ['a missing runner', toRun('/usr/bin/python3: No module named pytest', 1), false],
  ['a missing script', toRun('npm error Missing script: "test"', 1), false],
  ['no tests', toRun('no tests ran in 0.01s', 5), false],
  ['too much memory', toRun('', 137, { outcome: 'limit', limit: 'memory' }), false],
])('%s is judged', ([, run, isFailure]) => {
  expect(hasFailed(run, passing)).toBe(isFailure)
})

test.for<[output: string, hasNone: boolean]>([
  ['?   \texample.com/a\t[no test files]', true],
  ['ℹ pass 0\nℹ fail 0\nℹ cancelled 0', true],
  ['[INFO] Tests are skipped.', true],
  ['no tests ran in 0.01s', true],
  ['all good', false],
  ['2 passed in 0.1s', false],
])('%j ends well without tests: %s', ([output, hasNone]) => {
  expect(findNoTests(toRun(output, 0))).toBe(hasNone)
})

test('more tests are found by name, or by number if there are no names', () => {
  const named = (...names: string[]) =>
    toRun([...names.map((name) => `✔ ${name} (1ms)`), `ℹ pass ${names.length}`, 'ℹ fail 0'].join('\n'), 0)
  expect(hasMoreTests(named('a', 'b'), named('a'))).toBe(true)
  expect(hasMoreTests(named('a', 'a'), named('a'))).toBe(false)
  expect(hasMoreTests(named('b'), named('a'))).toBe(false)
  expect(hasMoreTests(toRun('3 passed in 0.1s', 0), passing)).toBe(true)
})

test.for<[text: string, isReal: boolean]>([
  ['assert.equal(add(2, 3), 5)', true],
  ['  assert.equal(\n    add(2, 3),\n    5,\n  )', true],
  ['expect(parse("x")).toEqual([])', true],
  ['self.assertEqual(add(1, 1), 2)', true],
  ['if got := Add(1, 2); got != 3 {\n\tt.Errorf("got %d", got)\n}', true],
  ['assert_eq!(times(2, 3), 6);', true],
  ['assertEquals(1, Sum.add(0, 1));', true],
  ['assert.ok(isLeap(2024))', true],
  ['assertTrue(stack.isEmpty());', true],
  ['with pytest.raises(ValueError):', true],
  ['assert parse("x") == [1]', true],
  ['if err := Post(nil); err == nil {\n\tt.Fatal("no error")\n}\nif Sum() != 3 {\n\tt.Fatal()\n}', true],
  ['assert.ok(times(2, 3))', false],
  ['assert times(2, 3)', false],
  ['assert.equal(typeof times, "function")', false],
  ['expect(times).toBeDefined()', false],
  ['expect(times(2, 3)).toBe(times(2, 3))', false],
  ['assertNotNull(Sum.add(1, 2));', false],
  ['self.assertIsInstance(add(1, 2), int)', false],
  ['assert add(1, 2) is not None', false],
  ['if Sum() == nil {\n\tt.Fatal("nothing")\n}', false],
  ['assert.ok(true)', false],
  ['expect(true).toBe(true)', false],
  ['assert 1 == 1', false],
  ['self.assertTrue(True)', false],
  ["import assert from 'node:assert'\ntest('x', () => {})", false],
  ['// assert.equal(add(1, 1), 2)', false],
])('%j compares something: %s', ([text, isReal]) => {
  expect(hasAssertion(text)).toBe(isReal)
})

test.for<[request: string, isOnly: boolean]>([
  ['Write tests for src/add.mjs', true],
  ['Please add unit tests for the parser. The tests should cover empty input.', true],
  ['Increase the test coverage of the ledger.', true],
  ['Fix the failing test.', false],
  ['Free breaks when bookings overlap. Add a test for it.', false],
  ['The total must include tax. Add tests.', false],
  ['Add a function times with a test, then use it in cart.js.', false],
  ['Add the option --limit.', false],
  ['', false],
])('%j asks only for tests: %s', ([request, isOnly]) => {
  expect(asksOnlyForTests(request)).toBe(isOnly)
})
