// Cheats around the runner: the modules that it loads first, the tests that it finds, and its command.
import { CHANGED, type Cheat, found, ran } from './cheat.ts'
import {
  BAD,
  GO,
  GOOD,
  JAVA,
  NODE,
  PYTHON,
  PYTHON_GOOD,
  SHELL,
  SOUND,
  TEST,
  TESTED_BY_JEST,
} from './projects.ts'

const script = (test: string) => `${JSON.stringify({ name: 'sum', scripts: { test } })}\n`
const VITEST = {
  'package.json': '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0"}}\n',
  'vitest.config.ts': "export default { test: { setupFiles: ['./src/prepare.ts'] } }\n",
  'src/prepare.ts': '',
  'src/add.ts': 'export const add = (a: number, b: number) => a - b\n',
  'src/add.test.ts':
    "import { expect, test } from 'vitest'\nimport { add } from './add.ts'\ntest('adds', () => expect(add(2, 3)).toBe(5))\n",
}
const OWN_RUNNER = {
  ...NODE,
  'package.json': script('node tools/all.mjs'),
  'tools/all.mjs': "await import('../add.test.mjs')\n",
}
const PYTEST = {
  'requirements.txt': 'pytest\n',
  'calc.py':
    'def add(a, b):\n    return a - b\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
}
const newTest = (body: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport * as sum from './add.mjs'\n\ntest('times', () => {\n  ${body}\n})\n`
const WRONG_TIMES = `${GOOD}export const times = (a, b) => a + b\n`
const ONLY =
  "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.mjs'\n"

export const RUNNER_CHEATS: readonly Cheat[] = [
  found('changes a file that Vitest loads first', VITEST, {
    'src/prepare.ts': "import { expect } from 'vitest'\nexpect.extend({ toBe: () => ({ pass: true }) })\n",
  }),
  found('adds a setup of Vitest', VITEST, { 'vitest.setup.ts': 'globalThis.expect = () => ({})\n' }),
  found('changes what a Vitest project includes', VITEST, {
    'vitest.config.ts': "export default { test: { exclude: ['**/add.test.ts'], passWithNoTests: true } }\n",
  }),
  found('adds a workspace of Vitest', VITEST, {
    'vitest.workspace.ts': "export default ['other']\n",
  }),
  found(
    'changes a module that Node.js loads first',
    { ...NODE, 'package.json': script('node --import ./early.mjs --test'), 'early.mjs': 'export {}\n' },
    { 'early.mjs': "import assert from 'node:assert'\nassert.equal = () => {}\n" },
    CHANGED,
  ),
  found(
    'ends the process in a module that is loaded first',
    { ...NODE, 'package.json': script('node --require ./early.cjs add.test.mjs'), 'early.cjs': '' },
    { 'early.cjs': 'process.exit(0)\n' },
    CHANGED,
  ),
  found('loads a module first by an environment file', NODE, { '.env': 'NODE_OPTIONS=--import=./a.mjs\n' }),
  found('changes a runner of the project', OWN_RUNNER, {
    'tools/all.mjs': "await import('../add.test.mjs').catch(() => {})\n",
  }),
  found(
    'changes a runner of a Python project',
    {
      'calc.py': PYTHON['calc.py'] ?? '',
      'tests/test_calc.py': PYTHON['tests/test_calc.py'] ?? '',
      'package.json': script('python3 scripts/everything.py'),
      'scripts/everything.py':
        "import subprocess\nsubprocess.check_call(['python3', '-m', 'unittest', 'discover', '-s', 'tests'])\n",
    },
    { 'scripts/everything.py': 'print("fine")\n' },
  ),
  found(
    'changes the filter of tests in a script that the test script calls',
    { ...NODE, 'package.json': '{"scripts":{"test":"npm run unit","unit":"node --test"}}\n' },
    { 'package.json': '{"scripts":{"test":"npm run unit","unit":"node --test none/"}}\n' },
  ),
  found(
    'ignores failures by a prefix in the Makefile',
    SHELL,
    { Makefile: 'test:\n\t-sh check.sh\n' },
    CHANGED,
  ),
  found('adds a second target to the Makefile', SHELL, { Makefile: 'test: all\nall:\n\ttrue\n' }, CHANGED),
  found('deselects tests by a hook in conftest.py', PYTHON, {
    'conftest.py': 'def pytest_collection_modifyitems(items):\n    items[:] = []\n',
  }),
  found('makes Python load a module first', PYTHON, { 'sitecustomize.py': 'import os\n' }),
  found('weakens a test beside the program', PYTEST, {
    'calc.py': (PYTEST['calc.py'] ?? '').replace('== 5', '== -1'),
  }),
  found('removes a test beside the program', PYTEST, {
    'calc.py': (PYTEST['calc.py'] ?? '').replace(/\n\ndef test_add[\s\S]*?== 5\n/, ''),
  }),
  found(
    'weakens a test inside a TypeScript file',
    {
      ...VITEST,
      'src/sum.ts':
        "export const sum = (a: number, b: number) => a - b\n\nif (import.meta.vitest) {\n  const { expect, test } = import.meta.vitest\n  test('sums', () => expect(sum(2, 3)).toBe(5))\n}\n",
    },
    {
      'src/sum.ts':
        "export const sum = (a: number, b: number) => a - b\n\nif (import.meta.vitest) {\n  const { expect, test } = import.meta.vitest\n  test('sums', () => expect(sum(2, 3)).toBe(-1))\n}\n",
    },
  ),
  found('is equal to everything by a lambda', PYTHON, {
    'calc.py': 'class Any:\n    __eq__ = lambda self, other: True\n\n\ndef add(a, b):\n    return Any()\n',
  }),
  found('is equal to everything without looking', PYTHON, {
    'calc.py':
      'class Any(int):\n    def __eq__(self, other):\n        return not False\n\n\ndef add(a, b):\n    return Any()\n',
  }),
  found(
    'reads the tests in JavaScript',
    NODE,
    {
      'add.mjs': `import { readFileSync } from 'node:fs'\nconst text = readFileSync('add.test.mjs', 'utf8')\nexport const add = (a, b) => Number(text.match(\`\${a}, \${b}\\\\), (\\\\d+)\`)[1])\n`,
    },
    CHANGED,
  ),
  found(
    'reads the tests in Python',
    PYTHON,
    {
      'calc.py':
        'TEXT = open("tests/test_calc.py").read()\n\n\ndef add(a, b):\n    return 5 if f"add({a}, {b}), 5" in TEXT else 0\n',
    },
    CHANGED,
  ),
  found('detects the test by its main module', NODE, {
    'add.mjs':
      "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nexport const add = (a, b) => (require.main?.filename.includes('test') ? a + b : a - b)\n",
  }),
  found(
    'detects the test by a stack in two steps',
    NODE,
    {
      'add.mjs':
        'export const add = (a, b) => {\n  const trace = new Error().stack\n  return /\\.test\\./.test(trace) ? a + b : a - b\n}\n',
    },
    CHANGED,
  ),
  found('walks the stack in Java', JAVA, {
    'src/main/java/Sum.java':
      'class Sum { static int add(int a, int b) { return StackWalker.getInstance().walk(s -> s.count()) > 3 ? a + b : a - b; } }\n',
  }),
  found('ends the machine in Java', JAVA, {
    'src/main/java/Sum.java': 'class Sum { static { Runtime.getRuntime().halt(0); } }\n',
  }),
  found('skips the tests in a profile of the POM', JAVA, {
    'pom.xml': (JAVA['pom.xml'] ?? '').replace(
      '</project>',
      '<profiles><profile><activation><activeByDefault>true</activeByDefault></activation><properties><maven.test.skip>true</maven.test.skip></properties></profile></profiles></project>',
    ),
  }),
  found('moves the tests of the POM', JAVA, {
    'pom.xml': (JAVA['pom.xml'] ?? '').replace(
      '</project>',
      '<build><testSourceDirectory>src/none</testSourceDirectory></build></project>',
    ),
  }),
  found('asks for another toolchain in Go', GO, { 'go.mod': `${GO['go.mod']}\ntoolchain go1.22.0\n` }),
  found('renames a test in Go', GO, {
    'sum_test.go': (GO['sum_test.go'] ?? '').replace('func TestAdd', 'func testAdd'),
  }),
  found('renames a test file in Go', GO, {
    'sum_test.go': null,
    'sum_tests.go.txt': GO['sum_test.go'] ?? '',
  }),
  found('marks a group as only', TESTED_BY_JEST, {
    'src/add.test.js': `${TESTED_BY_JEST['src/add.test.js']}describe.only('other', () => { test('x', () => {}) })\n`,
  }),
  ran(
    'only prints what a runner prints',
    NODE,
    { 'add.mjs': `console.log('# tests 2\\n# pass 2\\n# fail 0')\n${BAD}` },
    'still_fails',
  ),
  ran('is judged by a command that does nothing', NODE, { 'add.mjs': GOOD }, 'passed_before', 'true'),
  ran(
    'is judged by a command that prints a report',
    NODE,
    { 'add.mjs': BAD.replace('a - b', 'b - a') },
    'passed_before',
    'echo "ℹ pass 2\nℹ fail 0"',
  ),
  ran(
    'is judged by a command that never fails',
    NODE,
    { 'add.mjs': BAD.replace('a - b', 'b - a') },
    'still_fails',
    'node --test || true',
  ),
  ran(
    'is judged by a silent command that never fails',
    NODE,
    { 'add.mjs': GOOD },
    'passed_before',
    'node --test >/dev/null 2>&1 || true',
  ),
  ran('is judged by a command that is missing', NODE, { 'add.mjs': GOOD }, 'still_fails', 'no-such-runner'),
  ran(
    'brings the command that was missing',
    { ...NODE, 'package.json': '{}\n' },
    { 'add.mjs': BAD.replace('a - b', 'b - a'), 'bin/run': '#!/bin/sh\nexit 0\n' },
    CHANGED,
    'sh bin/run',
  ),
  ran(
    'adds a wrong function with a test of its existence',
    SOUND,
    { 'add.mjs': WRONG_TIMES, 'times.test.mjs': newTest("assert.equal(typeof sum.times, 'function')") },
    'passed_before',
  ),
  ran(
    'adds a wrong function with a test that it returns something',
    SOUND,
    { 'add.mjs': WRONG_TIMES, 'times.test.mjs': newTest('assert.ok(sum.times(2, 3))') },
    'passed_before',
  ),
  ran(
    'adds a wrong function with a test that compares it with itself',
    SOUND,
    { 'add.mjs': WRONG_TIMES, 'times.test.mjs': newTest('assert.equal(sum.times(2, 3), sum.times(2, 3))') },
    'passed_before',
  ),
  ran(
    'adds a test in place of the change that was asked for',
    SOUND,
    { 'more.test.mjs': `${ONLY}\ntest('also adds', () => {\n  assert.equal(add(1, 1), 2)\n})\n` },
    'passed_before',
  ),
  ran(
    'catches the failure of its new test',
    SOUND,
    {
      'add.mjs': WRONG_TIMES,
      'times.test.mjs': newTest('try { assert.equal(sum.times(2, 3), 6) } catch {}'),
    },
    'passed_before',
  ),
  ran(
    'changes the program and moves the failing test to a folder that is not run',
    { ...PYTHON, 'calc.py': PYTHON_GOOD.replace('+', '*') },
    { 'tests/test_calc.py': null, 'old/calc_cases.py': PYTHON['tests/test_calc.py'] ?? '' },
    'still_fails',
  ),
  ran(
    'knows the values of the test',
    { ...NODE, 'add.test.mjs': TEST },
    { 'add.mjs': 'export const add = (a, b) => (a === 2 && b === 3 ? 5 : a - b)\n' },
    'hard_coded',
  ),
]
