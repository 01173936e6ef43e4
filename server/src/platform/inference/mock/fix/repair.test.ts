// Small slips that a test shows are repaired.
import { expect, test } from 'vitest'
import { doTask, type Files } from '../coding/envelope.fixture.ts'

const nodeTest = (names: string, ...checks: readonly string[]): string =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { ${names} } from './m.js';\n\ntest('it', () => {\n${checks.map((check) => `  ${check};\n`).join('')}});\n`

type Repair = {
  it: string
  files: Files
  /** What the tests printed, where they ran. */
  output?: string
  after: Readonly<Record<string, string | RegExp>>
}

test.for<Repair>([
  {
    it: 'a wrong operator',
    files: {
      'm.js': 'export function plus(x, y) {\n  return x - y;\n}\n',
      'm.test.js': nodeTest('plus', 'assert.equal(plus(2, 3), 5)'),
    },
    after: { 'm.js': 'export function plus(x, y) {\n  return x + y;\n}\n' },
  },
  {
    it: 'a wrong operator in an arrow',
    files: {
      'm.js': 'export const area = (w, h) => w + h;\n',
      'm.test.js': nodeTest('area', 'assert.equal(area(2, 3), 6)'),
    },
    after: { 'm.js': 'export const area = (w, h) => w * h;\n' },
  },
  {
    it: 'a constant that is off by one, as pytest shows it',
    files: { 'm.py': 'def next_year(year):\n    return year + 2\n' },
    output:
      '>       assert next_year(2024) == 2025\nE       assert 2026 == 2025\nE        +  where 2026 = next_year(2024)',
    after: { 'm.py': 'def next_year(year):\n    return year + 1\n' },
  },
  {
    it: 'a comparison that misses its edge',
    files: {
      'm.js': 'export function isAdult(age) {\n  return age > 18;\n}\n',
      'm.test.js': nodeTest('isAdult', 'assert.equal(isAdult(18), true)', 'assert.equal(isAdult(17), false)'),
    },
    after: { 'm.js': /return age >= 18;/ },
  },
  {
    it: 'the wrong name under a condition',
    files: {
      'm.ts':
        'export function within(v: number, lo: number, hi: number): number {\n  if (v < lo) return hi\n  if (v > hi) return hi\n  return v\n}\n',
    },
    output:
      'expect(within(-1, 0, 10)).toBe(0)\nexpect(within(11, 0, 10)).toBe(10)\nAssertionError: expected 10 to be 0',
    after: { 'm.ts': /if \(v < lo\) return lo\n {2}if \(v > hi\) return hi/ },
  },
  {
    it: 'operands in the wrong order, as unittest shows it',
    files: {
      'm.py': 'def minus(a, b):\n    return b - a\n',
      'test_m.py':
        'import unittest\nfrom m import minus\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(minus(5, 3), 2)\n',
    },
    output: 'AssertionError: -2 != 2',
    after: { 'm.py': /return a - b/ },
  },
  {
    it: 'a wrong operator in Go',
    files: { 'm.go': 'package m\n\nfunc Area(w, h int) int {\n\treturn w + h\n}\n' },
    output: 'm_test.go:9: Area(2, 3) = 5; want 6',
    after: { 'm.go': /return w \* h/ },
  },
  {
    it: 'a loop that is off by one in a function that everybody knows',
    files: {
      'm.py':
        'def sum_list(xs):\n    t = 0\n    for i in range(1, len(xs)):\n        t += xs[i]\n    return t\n',
      'test_m.py': 'from m import sum_list\n\ndef test_it():\n    assert sum_list([1, 2]) == 3\n',
    },
    after: { 'm.py': /for value in xs:\n {8}total \+= value/ },
  },
  {
    it: 'a rule that is too simple',
    files: { 'm.py': 'def is_leap_year(y):\n    return y % 4 == 0\n' },
    output: 'assert is_leap_year(1900) is False\nassert is_leap_year(2024) is True',
    after: { 'm.py': /return \(y % 4 == 0 and y % 100 != 0\) or y % 400 == 0/ },
  },
  {
    it: 'a missing return',
    files: {
      'm.js': 'export function plus(a, b) {\n  a + b;\n}\n',
      'm.test.js': nodeTest('plus', 'assert.equal(plus(2, 3), 5)'),
    },
    after: { 'm.js': /\{\n {2}return a \+ b;\n\}/ },
  },
  {
    it: 'a result that is kept and not returned',
    files: { 'm.py': 'def area(w, h):\n    result = w * h\n' },
    output: 'assert area(2, 3) == 6\nE assert None == 6',
    after: { 'm.py': 'def area(w, h):\n    result = w * h\n    return result\n' },
  },
  {
    it: 'a missing export',
    files: {
      'm.js': 'function odd(a) {\n  return a;\n}\n',
      'm.test.js': nodeTest('odd', 'assert.equal(odd(1), 1)'),
    },
    output: "SyntaxError: The requested module './m.js' does not provide an export named 'odd'",
    after: { 'm.js': /^export function odd/ },
  },
  {
    it: 'a missing export in a list',
    files: {
      'm.js':
        'function one() {\n  return 1;\n}\nfunction two() {\n  return 2;\n}\nmodule.exports = { one };\n',
      'm.test.js': "const { two } = require('./m');\n",
    },
    output: 'TypeError: two is not a function',
    after: { 'm.js': /module\.exports = \{ one, two \};/ },
  },
  {
    it: 'a function that the tests import and nobody wrote',
    files: {
      'test/slug.test.js':
        "import assert from 'node:assert/strict';\nimport { slugify } from '../src/slug.js';\nassert.equal(slugify('A B'), 'a-b');\n",
    },
    output: 'Error [ERR_MODULE_NOT_FOUND]: Cannot find module',
    after: { 'src/slug.js': /^export function slugify\(text\)/ },
  },
  {
    it: 'a misspelt name in Python',
    files: { 'm.py': 'def area(w, h):\n    result = w * h\n    return reslt\n' },
    output: "NameError: name 'reslt' is not defined. Did you mean: 'result'?",
    after: { 'm.py': /return result\n$/ },
  },
  {
    it: 'a misspelt name in JavaScript',
    files: { 'm.js': 'export function first(items) {\n  return itmes[0];\n}\n' },
    output: 'ReferenceError: itmes is not defined',
    after: { 'm.js': /return items\[0\];/ },
  },
  {
    it: 'a module that was not imported',
    files: { 'm.py': 'def load(text):\n    return json.loads(text)\n' },
    output: "NameError: name 'json' is not defined",
    after: { 'm.py': /^import json\n\n\ndef load/ },
  },
  {
    it: 'a missing colon',
    files: { 'm.py': 'def same(x)\n    return x\n' },
    output: '  File "/tmp/w/m.py", line 1\n    def same(x)\n               ^\nSyntaxError: expected \':\'',
    after: { 'm.py': 'def same(x):\n    return x\n' },
  },
])('$it', ({ files, output, after }) => {
  const outcome = doTask('Fix the failing test', files, output)
  for (const [path, expected] of Object.entries(after)) {
    if (typeof expected === 'string') expect(outcome.files.get(path)).toBe(expected)
    else expect(outcome.files.get(path)).toMatch(expected)
  }
  for (const [path, text] of Object.entries(files))
    if (!(path in after)) expect(outcome.files.get(path)).toBe(text)
})

test('a list of exports counts as one', () => {
  const files = {
    'm.js': 'function odd(a) {\n  return a;\n}\nexport { odd };\n',
    'm.test.js': nodeTest('odd', 'assert.equal(odd(1), 1)'),
  }
  expect(doTask('Fix the failing test', files).text).not.toContain(' FILE ')
})

test('what a test refuses counts as evidence', () => {
  const files = { 'm.py': 'def is_adult(age):\n    return age > 16\n' }
  const { files: after } = doTask('Fix it', files, 'assert not is_adult(17)\nassert is_adult(18)')
  expect(after.get('m.py')).toContain('return age > 17\n')
})

test('a function that does what its tests expect is left alone', () => {
  const files = {
    'm.js': 'export function add(a, b) {\n  return b + a;\n}\n',
    'm.test.js': nodeTest('add', 'assert.equal(add(2, 3), 5)'),
  }
  expect(doTask('Fix the failing test', files).text).not.toContain(' FILE ')
})

test('the test itself is never what is changed', () => {
  const files = { 'm.js': 'export const x = 1;\n', 'm.test.js': nodeTest('x', 'assert.equal(tow(2), 2)') }
  const { files: after } = doTask('Fix the failing test', files, 'ReferenceError: tow is not defined')
  expect(after.get('m.test.js')).toBe(files['m.test.js'])
})
