// The tasks of the development model: each prompt with the files before and after.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { hunkOf, IDENTITY, outcomeOf } from './outcome.ts'

const MATH = 'export function add(a, b) {\n  return a + b\n}\n'
const MATH_PY = 'def add(a, b):\n    return a + b\n'
const nodeTest = (check: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { f } from './m.js'\n\ntest('f', () => {\n  ${check}\n})\n`
type Files = Readonly<Record<string, string>>

function filesAfter(task: string, files: Files, tests = ''): Files {
  const { changes } = outcomeOf(task, new Map(Object.entries(files)), { tests })
  return { ...files, ...Object.fromEntries(changes.map(({ path, after }) => [path, after])) }
}

test.for<[task: string, before: Files, after: Readonly<Record<string, string | RegExp>>]>([
  [
    'Rename add to plus',
    { 'a.js': MATH, 'b.js': "import { add } from './a.js'\nexport const added = add(1, 2)\n" },
    { 'a.js': /function plus/, 'b.js': "import { plus } from './a.js'\nexport const added = plus(1, 2)\n" },
  ],
  [
    'Rename total to sum, then add a function subtract(a, b) that returns a - b in src/sum.js.',
    { 'src/sum.js': 'export function total(a, b) {\n  return a + b\n}\n', 'src/bill.js': 'total(1, 2)\n' },
    {
      'src/sum.js': /function sum\(a, b\)[\s\S]*export function subtract\(a, b\) \{\n {2}return a - b\n\}\n$/,
      'src/bill.js': 'sum(1, 2)\n',
    },
  ],
  [
    'Add a function multiply to src/kobo.js.',
    { 'src/kobo.js': MATH },
    { 'src/kobo.js': `${MATH}\nexport function multiply(a, b) {\n  return a * b\n}\n` },
  ],
  ['Add a function double', { 'm.py': MATH_PY }, { 'm.py': /\n\n\ndef double\(n\):\n {4}return n \* 2\n$/ }],
  [
    'Add a function multiply to src/new.ts',
    {},
    { 'src/new.ts': /function multiply\(a: number, b: number\)/ },
  ],
  [
    'Add a square function',
    { 'n.js': 'function one() {\n  return 1;\n}\n\nmodule.exports = { one };\n' },
    { 'n.js': /function square\(n\) \{\n {2}return n \* n;\n\}\n\nmodule\.exports = \{ one, square \};\n$/ },
  ],
  ['Write a test for add', { 'm.js': MATH }, { 'm.test.js': /assert\.equal\(add\(2, 3\), 5\)/ }],
  ['Write a test for add', { 'm.py': MATH_PY }, { 'test_m.py': /from m import add[\s\S]*add\(2, 3\)/ }],
  ['Create the file docs/notes.md with the text "Hello"', {}, { 'docs/notes.md': 'Hello\n' }],
  ['Add a comment "Adds amounts." to add', { 'm.js': MATH }, { 'm.js': `/** Adds amounts. */\n${MATH}` }],
  [
    'Document add',
    { 'm.py': MATH_PY },
    { 'm.py': /^def add\(a, b\):\n {4}"""add: takes a, b\."""\n {4}return/ },
  ],
  [
    'Remove the function add',
    { 'm.js': `${MATH}\nexport const two = 2\n` },
    { 'm.js': 'export const two = 2\n' },
  ],
  ['Fix the typo "Helo" to "Hello"', { 'g.py': 'print("Helo")\n' }, { 'g.py': 'print("Hello")\n' }],
  ['Change the port from `3000` to `8080`', { 's.js': 'listen(3000)\n' }, { 's.js': 'listen(8080)\n' }],
  [
    'Add a GET /health route',
    { 's.js': 'const app = express()\n\napp.listen(3000)\n' },
    { 's.js': /app\.get\('\/health', .*\n.*\n\}\)\n\napp\.listen/ },
  ],
])('%s', ([task, before, after]) => {
  const files = filesAfter(task, before)
  expect(Object.keys(files).sort()).toEqual(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(),
  )
  for (const [path, expected] of Object.entries(after))
    if (typeof expected === 'string') expect(files[path]).toBe(expected)
    else expect(files[path]).toMatch(expected)
})

describe('fixes a failing test with', () => {
  test.for<[mistake: string, before: string, check: string, after: string]>([
    ['a wrong operator', 'return a - b', 'assert.equal(f(2, 3), 5)', 'return a + b'],
    ['a wrong comparison', 'return a > b', 'assert.equal(f(18, 18), true)', 'return a >= b'],
    ['a number that is off by one', 'return a + 2', 'assert.equal(f(5, 0), 6)', 'return a + 1'],
    [
      'swapped operands',
      'if (a < b) return a\n  return a',
      'assert.equal(f(5, 3), 3)',
      'if (a < b) return a\n  return b',
    ],
    [
      'a loop that runs past the end',
      'for (let i = 0; i <= a.length; i++) b += a[i]\n  return b',
      'assert.equal(f("x", 1), 2)',
      'for (let i = 0; i < a.length; i++) b += a[i]\n  return b',
    ],
  ])('%s', ([, before, check, after]) => {
    const source = (body: string) => `export function f(a, b) {\n  ${body}\n}\n`
    const files = { 'm.js': source(before), 'm.test.js': nodeTest(check) }
    expect(filesAfter('The test fails. Fix the code so that it passes.', files)).toEqual({
      ...files,
      'm.js': source(after),
    })
  })

  test('the test output alone, in an arrow function and in Python', () => {
    const arrow = { 'm.js': 'export const area = (w, h) => w + h\n' }
    expect(filesAfter('Finish it.', arrow, 'expect(area(2, 3)).toBe(6)')['m.js']).toContain('=> w * h')
    const python = { 'm.py': 'def next_year(year):\n    return year + 2\n' }
    expect(filesAfter('Fix the failing test', python, 'assert next_year(2024) == 2025')['m.py']).toContain(
      'year + 1',
    )
  })
})

test.for([
  'Build a distributed database',
  'Make it prettier',
  'Add a function settleQuarter',
  'Rename nothing to something',
  'Rename the function multiply to times in other.js',
  'Fix the failing test',
])('it declines “%s” and changes no file', (task) => {
  const { changes, report } = outcomeOf(task, new Map([['m.js', MATH]]))
  expect(changes).toEqual([])
  expect(report.join('\n')).toMatch(
    /No file was changed[\s\S]*I cannot do this[\s\S]*built-in development model/,
  )
})

test('it reports the part of a task that it did not do', () => {
  const { changes, report } = outcomeOf(
    'Rename add to plus. Make it ten times faster.',
    new Map([['m.js', MATH]]),
  )
  expect(changes).toHaveLength(1)
  expect(report).toContain('Not done: Make it ten times faster.')
})

test('it does not report a fix as missing that an earlier sentence requested', () => {
  const files = new Map([
    ['m.js', 'export const f = (a, b) => a - b\n'],
    ['m.test.js', nodeTest('assert.equal(f(2, 3), 5)')],
  ])
  expect(outcomeOf('The test fails. Fix the code so that it passes.', files).report).toEqual([
    'Fixed `f` in m.js: `-` is now `+`.',
    IDENTITY,
  ])
})

test('a question about the files is answered without an edit', () => {
  const { changes, report } = outcomeOf('Explain this code', new Map([['m.js', MATH]]))
  expect(changes).toEqual([])
  expect(report[0]).toBe('m.js: This is code of 3 lines. It defines `add`.')
})

test.for([
  ['the last line', 'a\nb\n', 'a\nb\nc\n'],
  ['the first line', 'a\nb\n', 'c\na\nb\n'],
  ['repeated lines', 'x\n}\n\nx\n}\n', 'x\n}\n\nx\ny\n}\n'],
  ['all of it', 'a\n', 'b\n'],
  ['a removed line', 'a\n\nb\n', 'a\nb\n'],
] as const)('the replacement for %s matches once', ([, before, after]) => {
  const { find, replace } = hunkOf(before, after)
  expect(before.split(find)).toHaveLength(2)
  expect(before.replace(find, replace)).toBe(after)
})

test.for(['(', '\n', '`"\'', 'a b ( { " ', 'export function add(', 'assert.equal(f(', ' = '])(
  'a file of only %j is answered in bounded time',
  (piece) => {
    const text = piece.repeat(150_000 / piece.length)
    const files = new Map([
      ['a.ts', text],
      ['a.test.ts', text],
      ['b.py', text],
    ])
    const task = 'Fix the failing test. Rename add to plus. Document add. Write a test for add.'
    expect(measureCost(() => outcomeOf(task, files, { tests: text }))).toBeLessThan(2_000)
  },
)

test('the model has at most 1,215 lines', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'))
  const lines = files.map(
    (name) => readFileSync(join(import.meta.dirname, name), 'utf8').split('\n').length - 1,
  )
  expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1_215)
})
