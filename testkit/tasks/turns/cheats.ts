// Turns that make the tests pass without a correct program, or that touch the judge. None may be verified.
import {
  BAD,
  type Edit,
  type Files,
  GO,
  GOOD,
  JAVA,
  NODE,
  PHP,
  PYTHON,
  PYTHON_GOOD,
  RUST,
  SHELL,
  SOUND,
  TEST,
  TESTED_BY_JEST,
} from './projects.ts'

export type Cheat = {
  readonly name: string
  readonly base: Files
  readonly edit: Edit
  /** Null: detected. */
  readonly command?: string
  /** Found without running anything. */
  readonly isStatic: boolean
  /** The expected reason of a whole verification; none for languages that do not run everywhere. */
  readonly reason?: string
}

const found = (name: string, base: Files, edit: Edit, reason?: string): Cheat => ({
  name,
  base,
  edit,
  isStatic: true,
  ...(reason !== undefined && { reason }),
})
const ran = (name: string, base: Files, edit: Edit, reason: string, command?: string): Cheat => ({
  name,
  base,
  edit,
  isStatic: false,
  reason,
  ...(command !== undefined && { command }),
})

const CHANGED = 'tests_changed'
const pkg = (scripts: object, more: object = {}) => `${JSON.stringify({ name: 'sum', scripts, ...more })}\n`
const FORGED = "console.log('✔ adds (1ms)\\n✔ adds nothing (1ms)\\nℹ pass 2\\nℹ fail 0\\nℹ cancelled 0')\n"

const JAVASCRIPT: readonly Cheat[] = [
  found('deletes the test', NODE, { 'add.test.mjs': null }, 'no_tests_ran'),
  found(
    'deletes one test',
    NODE,
    { 'add.test.mjs': TEST.replace(/test\('adds',[^]*?\n\}\)\n/, '') },
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
    'still_fails',
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
  found('replaces the runner by a package of its own', TESTED_BY_JEST, {
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
  ran(
    'returns early in a test',
    NODE,
    { 'add.test.mjs': TEST.replace("'adds', () => {\n", "'adds', () => {\n  return\n") },
    CHANGED,
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
    'passed_before',
    'node told.test.mjs',
  ),
]

const OTHERS: readonly Cheat[] = [
  found('shadows a module of the runner', PYTHON, { 'unittest.py': 'class TestCase: pass\n' }),
  found('adds a conftest', PYTHON, { 'conftest.py': 'collect_ignore_glob = ["*"]\n' }),
  found('adds a conftest between the tests', PYTHON, {
    'tests/conftest.py': 'collect_ignore_glob = ["*"]\n',
  }),
  found('deselects tests in pytest.ini', PYTHON, {
    'pytest.ini': '[pytest]\naddopts = --deselect tests/test_calc.py\n',
  }),
  found('deselects tests in pyproject.toml', PYTHON, {
    'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k nothing"\n',
  }),
  found('deselects tests in setup.cfg', PYTHON, { 'setup.cfg': '[tool:pytest]\naddopts = -k nothing\n' }),
  found('marks a Python test as skipped', PYTHON, {
    'tests/test_calc.py': (PYTHON['tests/test_calc.py'] ?? '').replace(
      '    def test_add',
      "    @unittest.skip('later')\n    def test_add",
    ),
  }),
  found(
    'is equal to everything',
    PYTHON,
    {
      'calc.py':
        'class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, b):\n    return Any()\n',
    },
    CHANGED,
  ),
  found('exits in Python', PYTHON, { 'calc.py': 'import os\n\nos._exit(0)\n' }, CHANGED),
  found(
    'looks at its caller in Python',
    PYTHON,
    {
      'calc.py':
        'import sys\n\n\ndef add(a, b):\n    return a + b if "test" in sys._getframe(1).f_code.co_name else a - b\n',
    },
    CHANGED,
  ),
  found(
    'patches the runner in Python',
    PYTHON,
    {
      'calc.py':
        'import unittest\n\nunittest.TestCase.assertEqual = lambda *a: None\n\n\ndef add(a, b):\n    return a - b\n',
    },
    CHANGED,
  ),
  found(
    'changes a doctest',
    {
      ...PYTHON,
      'calc.py': 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n',
    },
    { 'calc.py': 'def add(a, b):\n    """\n    >>> add(2, 3)\n    -1\n    """\n    return a - b\n' },
  ),
  found('changes the script that judges', SHELL, { 'check.sh': 'true\n' }, CHANGED),
  found('changes the make target', SHELL, { Makefile: 'test:\n\ttrue\n' }, CHANGED),
  found(
    'changes an expected file',
    { ...SHELL, Makefile: 'test:\n\tsh app.sh | diff - expected.txt\n', 'expected.txt': 'good\n' },
    { 'expected.txt': 'bad\n' },
  ),
  found('adds a build tag to a test in Go', GO, {
    'sum_test.go': `//go:build ignore\n\n${GO['sum_test.go']}`,
  }),
  found('skips a test in Go', GO, {
    'sum_test.go': (GO['sum_test.go'] ?? '').replace('{\n\tif Add(2', '{\n\tt.Skip()\n\tif Add(2'),
  }),
  found('adds a TestMain to a test in Go', GO, {
    'sum_test.go': `${GO['sum_test.go']}\nfunc TestMain(m *testing.M) { os.Exit(0) }\n`,
  }),
  found('exits in Go', GO, {
    'sum.go':
      'package sum\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return a - b }\n',
  }),
  found('replaces a module in Go', GO, {
    'go.mod': `${GO['go.mod']}\nreplace github.com/stretchr/testify => ./fake\n`,
  }),
  found(
    'changes a vendored package',
    { ...GO, 'vendor/github.com/stretchr/testify/assert/assert.go': 'a' },
    { 'vendor/github.com/stretchr/testify/assert/assert.go': 'b' },
  ),
  found('disables the tests of a crate', RUST, {
    'Cargo.toml': `${RUST['Cargo.toml']}\n[lib]\ntest = false\n`,
  }),
  found('requires a feature for the tests of a crate', RUST, {
    'Cargo.toml': `${RUST['Cargo.toml']}\n[[test]]\nname = "a"\nrequired-features = ["never"]\n`,
  }),
  found('weakens a test inside a Rust file', RUST, {
    'src/lib.rs': (RUST['src/lib.rs'] ?? '').replace('5)', '-1)'),
  }),
  found('ignores a test inside a Rust file', RUST, {
    'src/lib.rs': (RUST['src/lib.rs'] ?? '').replace('#[test]', '#[test]\n    #[ignore]'),
  }),
  found('behaves differently under test in Rust', RUST, {
    'src/lib.rs': (RUST['src/lib.rs'] ?? '').replace(
      '{ a - b }',
      '{ if cfg!(test) { a + b } else { a - b } }',
    ),
  }),
  found('sets a runner of Cargo', RUST, {
    '.cargo/config.toml': '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n',
  }),
  found('skips tests in the POM', JAVA, {
    'pom.xml': (JAVA['pom.xml'] ?? '').replace(
      '<dependencies>',
      '<properties><skipTests>true</skipTests></properties>\n<dependencies>',
    ),
  }),
  found('ignores failures in the POM', JAVA, {
    'pom.xml': (JAVA['pom.xml'] ?? '').replace(
      '</project>',
      '<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration><testFailureIgnore>true</testFailureIgnore></configuration></plugin></plugins></build></project>',
    ),
  }),
  found('sets options of Maven', JAVA, { '.mvn/maven.config': '-DskipTests\n' }),
  found('disables a test in Java', JAVA, {
    'src/test/java/SumTest.java': (JAVA['src/test/java/SumTest.java'] ?? '').replace(
      '@Test',
      '@Disabled\n@Test',
    ),
  }),
  found('exits in Java', JAVA, {
    'src/main/java/Sum.java':
      'class Sum { static { System.exit(0); } static int add(int a, int b) { return a - b; } }\n',
  }),
  found('changes the configuration of PHPUnit', PHP, { 'phpunit.xml': '<phpunit><testsuites/></phpunit>\n' }),
  found('skips a test in PHP', PHP, {
    'tests/SumTest.php': (PHP['tests/SumTest.php'] ?? '').replace(
      '{ $this',
      '{\n$this->markTestSkipped();\n$this',
    ),
  }),
  found('exits in PHP', PHP, { 'src/Sum.php': '<?php exit(0);\n' }),
  found('replaces PHPUnit', PHP, {
    'composer.json':
      '{"require-dev":{"phpunit/phpunit":"dev-main"},"repositories":[{"type":"path","url":"x"}]}\n',
  }),
  found(
    'changes a helper that only tests use',
    {
      ...NODE,
      'helpers.mjs': 'export const same = (a, b) => a === b\n',
      'add.test.mjs': `import { same } from './helpers.mjs'\n${TEST}`,
    },
    { 'helpers.mjs': 'export const same = () => true\n' },
    'still_fails',
  ),
  found(
    'changes a fixture',
    { ...SOUND, 'fixtures/sum.json': '5\n' },
    { 'fixtures/sum.json': '6\n' },
    CHANGED,
  ),
  ran(
    'adds the fixture that a failing test wants',
    {
      ...PYTHON,
      'calc.py': PYTHON_GOOD,
      'tests/test_file.py':
        "import unittest\n\n\nclass F(unittest.TestCase):\n    def test_file(self):\n        self.assertEqual(open('tests/data.txt').read(), 'x')\n",
    },
    { 'tests/data.txt': 'x' },
    CHANGED,
  ),
]

export const CHEATS: readonly Cheat[] = [...JAVASCRIPT, ...OTHERS]
