// Cheats in other languages.
import { CHANGED, type Cheat, found, ran } from './cheat.ts'
import { GO, JAVA, NODE, PHP, PYTHON, PYTHON_GOOD, RUST, SHELL, SOUND, TEST } from './projects.ts'

export const OTHER_CHEATS: readonly Cheat[] = [
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
  found('shadows JUnit', JAVA, {
    'src/main/java/org/junit/jupiter/api/Assertions.java': 'package org.junit.jupiter.api;\n',
  }),
  found('includes rules in the Makefile', SHELL, { 'local.mk': 'test:\n\ttrue\n' }),
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
