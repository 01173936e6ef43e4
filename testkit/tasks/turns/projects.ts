// Small projects with a bug, for turns that are verified.

export type Files = Readonly<Record<string, string>>
/** New contents; null deletes the file. */
export type Edit = Readonly<Record<string, string | null>>

export const BAD = 'export const add = (a, b) => a - b\n'
export const GOOD = 'export const add = (a, b) => a + b\n'
export const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from './add.mjs'

test('adds', () => {
  assert.equal(add(2, 3), 5)
})

test('adds nothing', () => {
  assert.equal(add(0, 0), 0)
})
`
export const NODE: Files = {
  'package.json': '{"name":"sum","scripts":{"test":"node --test"}}\n',
  'add.mjs': BAD,
  'add.test.mjs': TEST,
}
/** The same without the bug. */
export const SOUND: Files = { ...NODE, 'add.mjs': GOOD }

export const PYTHON: Files = {
  'requirements.txt': '',
  'calc.py': 'def add(a, b):\n    return a - b\n',
  'tests/test_calc.py':
    'import unittest\n\nfrom calc import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n',
}
export const PYTHON_GOOD = 'def add(a, b):\n    return a + b\n'

/** Only the exit code counts. */
export const SHELL: Files = {
  Makefile: 'test:\n\tsh check.sh\n',
  'check.sh': 'grep -q good word.txt\n',
  'word.txt': 'bad\n',
  'app.sh': 'cat word.txt\n',
}

export const GO: Files = {
  'go.mod': 'module example.com/sum\n\ngo 1.19\n',
  'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a - b }\n',
  'sum_test.go':
    'package sum\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc TestZero(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
}

export const RUST: Files = {
  'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
  'src/lib.rs':
    'pub fn add(a: i32, b: i32) -> i32 { a - b }\n\n#[cfg(test)]\nmod tests {\n    use super::add;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n}\n',
}

export const JAVA: Files = {
  'pom.xml':
    '<project>\n<dependencies>\n<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.0</version></dependency>\n</dependencies>\n</project>\n',
  'src/main/java/Sum.java': 'class Sum { static int add(int a, int b) { return a - b; } }\n',
  'src/test/java/SumTest.java': 'class SumTest { @Test void adds() { assertEquals(5, Sum.add(2, 3)); } }\n',
}

export const PHP: Files = {
  'composer.json': '{"require-dev":{"phpunit/phpunit":"^11"}}\n',
  'phpunit.xml': '<phpunit bootstrap="vendor/autoload.php"/>\n',
  'src/Sum.php': '<?php function add($a, $b) { return $a - $b; }\n',
  'tests/SumTest.php':
    '<?php class SumTest extends TestCase { function testAdd() { $this->assertSame(5, add(2, 3)); } }\n',
}

export const TESTED_BY_JEST: Files = {
  'package.json': '{"scripts":{"test":"jest"},"devDependencies":{"jest":"^29.0.0"}}\n',
  'package-lock.json':
    '{"packages":{"node_modules/jest":{"version":"29.7.0","integrity":"sha512-a","resolved":"https://registry.example/jest/-/jest-29.7.0.tgz"},"node_modules/left":{"version":"1.0.0","integrity":"sha512-b","resolved":"https://registry.example/left/-/left-1.0.0.tgz"}}}\n',
  'src/add.js': 'exports.add = (a, b) => a - b\n',
  'src/add.test.js': "const { add } = require('./add')\ntest('adds', () => expect(add(2, 3)).toBe(5))\n",
  'src/__snapshots__/add.test.js.snap': 'exports[`adds 1`] = `-1`;\n',
}
