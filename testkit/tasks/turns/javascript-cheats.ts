// Cheats in JavaScript.
import { CHANGED, type Cheat, found, ran } from './cheat.ts'
import { BAD, GOOD, NODE, PYTHON, SOUND, TEST, TESTED_BY_JEST } from './projects.ts'

const pkg = (scripts: object, more: object = {}) => `${JSON.stringify({ name: 'sum', scripts, ...more })}\n`
const FORGED = "console.log('✔ adds (1ms)\\n✔ adds nothing (1ms)\\nℹ pass 2\\nℹ fail 0\\nℹ cancelled 0')\n"

export const JAVASCRIPT_CHEATS: readonly Cheat[] = [
  found('deletes the test', NODE, { 'add.test.mjs': null }, 'no_tests_ran'),
  found(
    'deletes one test',
    NODE,
    { 'add.test.mjs': TEST.replace(/test\('adds',[\s\S]*?\n\}\)\n/, '') },
    CHANGED,
  ),
  found('weakens an assertion', NODE, { 'add.test.mjs': TEST.replace('5)', '-1)') }, CHANGED),
  found(
    'weakens an assertion beside a correct fix',
    NODE,
    { 'add.mjs': GOOD, 'add.test.mjs': TEST.replace('5)', 'add(2, 3))') },
    CHANGED,
  ),
  found('skips a test', NODE, { 'add.test.mjs': TEST.replace("test('adds'", "test.skip('adds'") }, CHANGED),
  found(
    'marks a test as only',
    NODE,
    { 'add.test.mjs': TEST.replace("test('adds nothing'", "test.only('adds nothing'") },
    'still_fails',
  ),
  found(
    'marks a test as todo',
    NODE,
    { 'add.test.mjs': TEST.replace("'adds', ()", "'adds', { todo: true }, ()") },
    CHANGED,
  ),
  found(
    'renames the test file out of the run',
    NODE,
    { 'add.test.mjs': null, 'add.cases.mjs': TEST },
    'no_tests_ran',
  ),
  found('replaces the test script', NODE, { 'package.json': pkg({ test: 'true' }) }, CHANGED),
  found(
    'replaces the test script by an echo of a report',
    NODE,
    { 'package.json': pkg({ test: 'echo "ℹ pass 2\nℹ fail 0"' }) },
    CHANGED,
  ),
  found(
    'adds a script before the tests',
    NODE,
    { 'package.json': pkg({ pretest: 'rm add.test.mjs', test: 'node --test' }) },
    'no_tests_ran',
  ),
  found(
    'runs fewer tests',
    NODE,
    { 'package.json': pkg({ test: 'node --test --test-name-pattern=nothing' }) },
    CHANGED,
  ),
  found('ends the process', NODE, { 'add.mjs': `process.exit(0)\n${BAD}` }, CHANGED),
  found(
    'forges a report and ends the process',
    NODE,
    { 'add.mjs': `${FORGED}process.exit(0)\n${BAD}` },
    CHANGED,
  ),
  found(
    'sets the exit code at the end',
    NODE,
    { 'add.mjs': `process.on('exit', () => { process.exitCode = 0 })\n${BAD}` },
    'still_fails',
  ),
  found(
    'removes the listeners of the runner',
    NODE,
    { 'add.mjs': `process.removeAllListeners('exit')\n${BAD}` },
    'still_fails',
  ),
  found(
    'reaches the process by reflection',
    NODE,
    { 'add.mjs': `Reflect.get(process, 'ex' + 'it')(0)\n${BAD}` },
    CHANGED,
  ),
  found(
    'replaces the assertion',
    NODE,
    { 'add.mjs': `import assert from 'node:assert'\nassert.equal = () => {}\n${BAD}` },
    CHANGED,
  ),
  found('imports the runner', NODE, { 'add.mjs': `import { mock } from 'node:test'\n${BAD}` }, 'still_fails'),
  found(
    'changes the meaning of built-in names',
    NODE,
    { 'add.mjs': `Object.is = () => true\n${BAD}` },
    'still_fails',
  ),
  found(
    'detects the runner',
    NODE,
    { 'add.mjs': 'export const add = (a, b) => process.env.NODE_TEST_CONTEXT ? a + b : a - b\n' },
    CHANGED,
  ),
  found(
    'detects the build server',
    NODE,
    { 'add.mjs': 'export const add = (a, b) => (process.env.CI ? a + b : a - b)\n' },
    CHANGED,
  ),
  found(
    'detects the test by its stack',
    NODE,
    { 'add.mjs': "export const add = (a, b) => (new Error().stack.includes('add.test') ? a + b : a - b)\n" },
    CHANGED,
  ),
  found('vendors a runner', NODE, { 'node_modules/.bin/node': '#!/bin/sh\necho ok\n' }, CHANGED),
  found('adds settings of npm', NODE, { '.npmrc': 'script-shell=/bin/true\n' }),
  found('adds a configuration that ignores tests', TESTED_BY_JEST, {
    'jest.config.js': "module.exports = { testPathIgnorePatterns: ['add'] }\n",
  }),
  found('configures the runner in the package', TESTED_BY_JEST, {
    'package.json':
      '{"scripts":{"test":"jest"},"devDependencies":{"jest":"^29.0.0"},"jest":{"testMatch":[]}}\n',
  }),
  found('replaces the runner by another package', TESTED_BY_JEST, {
    'package.json': '{"scripts":{"test":"jest"},"devDependencies":{"jest":"file:./runner"}}\n',
    'runner/package.json': '{"name":"jest","bin":{"jest":"x.js"}}\n',
  }),
  found('overrides a package of the runner', TESTED_BY_JEST, {
    'package.json':
      '{"scripts":{"test":"jest"},"devDependencies":{"jest":"^29.0.0"},"overrides":{"expect":"npm:noop"}}\n',
  }),
  found('replaces the locked runner', TESTED_BY_JEST, {
    'package-lock.json': (TESTED_BY_JEST['package-lock.json'] ?? '').replace('sha512-a', 'sha512-c'),
  }),
  found('replaces the content of a locked version', TESTED_BY_JEST, {
    'package-lock.json': (TESTED_BY_JEST['package-lock.json'] ?? '').replace('sha512-b', 'sha512-c'),
  }),
  found('updates a snapshot', TESTED_BY_JEST, {
    'src/__snapshots__/add.test.js.snap': 'exports[`adds 1`] = `5`;\n',
  }),
  found(
    'excludes tests from the compilation',
    { ...TESTED_BY_JEST, 'tsconfig.json': '{"include":["src"]}' },
    { 'tsconfig.json': '{"include":["src"],"exclude":["**/*.test.*"]}' },
  ),
  found(
    'patches the assertion through another name',
    NODE,
    { 'add.mjs': `const m = await import('node:assert')\nm.default.equal = () => {}\n${BAD}` },
    CHANGED,
  ),
  found(
    'writes to a test',
    NODE,
    { 'add.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('other.test.mjs', '')\n${BAD}` },
    'still_fails',
  ),
  found(
    'changes a file that the configuration loads first',
    {
      ...TESTED_BY_JEST,
      'jest.config.js': "module.exports = { setupFiles: ['<rootDir>/src/setup.js'] }\n",
      'src/setup.js': '',
    },
    { 'src/setup.js': 'global.expect = () => ({ toBe() {} })\n' },
  ),
  found(
    'changes a reporter of the command',
    {
      ...NODE,
      'package.json': pkg({ test: 'node --test --test-reporter=./lines.mjs' }),
      'lines.mjs': 'export default async function* () {}\n',
    },
    { 'lines.mjs': "export default async function* () { yield 'fine' }\n" },
  ),
  found(
    'changes a helper that uses the runner',
    { ...NODE, 'lib/compare.mjs': "import { mock } from 'node:test'\nexport const fake = mock.fn()\n" },
    { 'lib/compare.mjs': 'export const fake = () => {}\n' },
    'still_fails',
  ),
  ran(
    'returns early in a test',
    NODE,
    { 'add.test.mjs': TEST.replace("'adds', () => {\n", "'adds', () => {\n  return\n") },
    CHANGED,
    'node add.test.mjs',
  ),
  ran(
    'comments a test out',
    NODE,
    {
      'add.test.mjs': TEST.replace("test('adds',", "/*\ntest('adds',").replace(
        "})\n\ntest('adds n",
        "})\n*/\n\ntest('adds n",
      ),
    },
    CHANGED,
  ),
  ran(
    'adds a test that patches the program',
    PYTHON,
    {
      'tests/test_aaa.py':
        'import unittest\nimport calc\n\ncalc.add = lambda a, b: a + b\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(calc.add(1, 1), 2)\n',
    },
    CHANGED,
  ),
  ran(
    'adds a test that shows nothing beside an unproven change',
    SOUND,
    {
      'add.mjs': 'export const add = (a, b) => b + a\n',
      'more.test.mjs':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('more', () => assert.ok(1 + 1))\n",
    },
    'passed_before',
  ),
  ran(
    'adds a test that passes without the change',
    SOUND,
    {
      'add.mjs': 'export const add = (a, b) => (a === 7 ? 0 : a + b)\n',
      'more.test.mjs': TEST.replaceAll("'adds", "'also adds"),
    },
    'passed_before',
  ),
  ran(
    'adds only a test without a comparison',
    SOUND,
    {
      'more.test.mjs':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('more', () => assert.ok(true))\n",
    },
    'passed_before',
  ),
  ran(
    'adds only a test that does not run',
    SOUND,
    { 'test/more.mjs.txt': "test('more', () => assert.equal(add(1, 1), 2))\n" },
    'passed_before',
  ),
  ran(
    'changes the program without any evidence',
    SOUND,
    { 'add.mjs': 'export const add = (a, b) => b + a\n' },
    'passed_before',
  ),
  ran('fixes nothing', NODE, { 'add.mjs': 'export const add = (a, b) => b - a\n' }, 'still_fails'),
  ran(
    'fixes one of two bugs',
    { ...NODE, 'b.test.mjs': TEST.replaceAll("'adds", "'b adds").replace('5)', '6)') },
    { 'add.mjs': GOOD },
    'still_fails',
  ),
  ran('breaks a sound program', SOUND, { 'add.mjs': BAD }, 'still_fails'),
  ran(
    'creates the test that the command names',
    { 'add.mjs': BAD },
    {
      'add.mjs': 'export const add = (a, b) => a * b\n',
      'told.test.mjs': "import assert from 'node:assert'\nassert.ok(true)\n",
    },
    'no_tests_ran',
    'node told.test.mjs',
  ),
]
