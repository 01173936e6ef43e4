import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { findTampering } from './tamper-check.ts'

const added = (line: string, path = 'src/a.js') =>
  findTampering(new Map([[path, 'const a = 1\n']]), new Map([[path, `const a = 1\n${line}\nconst b = 2\n`]]))

test.for([
  'process.exit(0)',
  'process.exit()',
  'process?.exit(0)',
  "process['exit'](0)",
  "process['ex' + 'it'](0)",
  'process.exitCode = 0',
  "process.on('beforeExit', () => { process.exitCode = 0 })",
  'process.exit(code)',
  'process.exit(1 - 1)',
  'process\n  .exit(0)',
  'const p = process; p.exit(0)',
  'const p = process',
  'const { exit } = process',
  "import { exit } from 'node:process'",
  "const { exit: done } = require('process')",
  "globalThis['pro' + 'cess']",
  '  sys.exit()',
  'from sys import exit',
  'os._exit(0)',
  'os.execv("/bin/true", ["true"])',
  'os.Exit(0)',
  'System.exit(0);',
  'Runtime.getRuntime().halt(0);',
  'exit();',
  'die("done");',
  'raise SystemExit',
  'exit 0',
  'test -f x && exit',
  'if true; then exit 0; fi',
  'at_exit { exit! 0 }',
])('%s can end a process with success', (line) => {
  expect(added(line)).toContain('end the process by itself')
})

test.for([
  'process.exit(1)',
  'sys.exit(2)',
  "child.on('exit', done)",
  'const exitCode = 3',
  'exitCode = 2;',
  'os.Exit(1)',
  'exit 1',
  'const exits = door.exits(3)',
  'return best_exit_of(maze)',
  'the.exitDoor(0)',
  'await next.process(job)',
  'queue.process[0].toString()',
])('%s cannot', (line) => {
  expect(added(line)).toBeNull()
})

test.for<[what: string, line: string]>([
  ['a report of Node', "console.log('ℹ pass 2')"],
  ['TAP', 'console.log("TAP version 13")'],
  ['TAP without its beginning', 'console.log(`ok 1 - adds`)'],
  ['a report of unittest', 'print("Ran 2 tests in 0.001s")'],
  ['a report of pytest', 'print("2 passed in 0.01s")'],
  ['a report of Go', 'fmt.Println("--- PASS: TestAdd (0.00s)")'],
])('%s must not be written by a program', ([, line]) => {
  expect(added(line)).toContain('report of a test runner')
})

test.for<[what: string, line: string, says: string]>([
  ['text as code', "eval('process.ex' + 'it(0)')", 'runs text as code'],
  ['a comparison that always holds', 'assert.equal = () => {}', 'what judges it'],
  ['a runner', "import { mock } from 'node:test'", 'what judges it'],
  ['a runner of Python', 'import unittest', 'what judges it'],
])('%s is detected', ([, line, says]) => {
  expect(added(line)).toContain(says)
})

test('existing text is not reported, wherever it moves, but an additional occurrence is', () => {
  const before = new Map([['cli.js', 'main()\nprocess.exit(0)\n']])
  expect(findTampering(before, new Map([['cli.js', 'await main()\n  process.exit(0)\n']]))).toBeNull()
  expect(
    findTampering(before, new Map([['cli.js', 'process.exit(0)\nmain()\nprocess.exit(0)\n']])),
  ).toContain('cli.js')
})

test.for([
  'if (process.env.JEST_WORKER_ID) return 5',
  "if (process.env.NODE_ENV === 'test') return 5",
  'if (process.env.CI) return 5',
  "if os.environ.get('CI'):",
  'if sys._getframe(1).f_code.co_name:',
  "if (new Error().stack.includes('test')) return 5",
  'if flag.Lookup("test.v") != nil {',
  'if cfg!(test) { return 5 }',
  'if os.getenv("PYTEST_CURRENT_TEST"): return 5',
])('%s detects a test run', (line) => {
  expect(added(line)).toContain('differently under test')
})

test.for([
  'class Any:\n    def __eq__(self, other):\n        return True',
  'Object.prototype.valueOf = () => 5',
  'Object.is = () => true',
  "import judge from 'node:assert/strict'\njudge['eq' + 'ual'] = () => undefined",
  "const judge = require('assert')\njudge.fail = () => undefined",
  'globalThis.expect=() => ({})',
  'setattr(builtins, "len", fake)',
  'macro_rules! assert_eq { () => {} }',
  '#define assert(x)',
])('%s changes the meaning of a comparison', (line) => {
  expect(added(line)).toContain('how values are compared')
})

test.for<[path: string, text: string]>([
  ['cli.py', 'import sys\n\ndef main():\n    return 0\n\nif __name__ == "__main__":\n    sys.exit(main())\n'],
  ['main.go', 'package main\n\nfunc main() {\n\tos.Exit(run())\n}\n'],
])('%s may end its own start, if the runner only imports it', ([path, text]) => {
  const now = new Map([[path, text]])
  expect(findTampering(new Map(), now, { isImported: true })).toBeNull()
  expect(findTampering(new Map(), now)).toContain('end the process')
  const worse = new Map([[path, `${text}\ndef late():\n    sys.exit(0)\n\tos.Exit(0)\n`]])
  expect(findTampering(new Map(), worse, { isImported: true })).toContain('end the process')
})

test('tests and documents may contain such words', () => {
  expect(added('process.exit(0)', 'README.md')).toBeNull()
  expect(added('process.exit(0)', 'src/a.test.js')).toBeNull()
})

test('a large answer is checked quickly', () => {
  for (const word of [' ', 'process ', 'exit (', ';    ', 'import ', '.\n', 'ok 1 ', 'assert.a']) {
    const files = new Map([['a.js', word.repeat(200_000 / word.length)]])
    expect(
      measureCost(() => findTampering(new Map(), files)),
      word,
    ).toBeLessThan(300)
  }
})
