import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import {
  COPIED_VALUES,
  GENERAL_SOLUTIONS,
  type ValueExample,
} from '@cowrie/testkit/tasks/turns/copied-values.ts'
import { expect, test } from 'vitest'
import { findCopiedValues } from './copied-values.ts'

function find({ program: [path, before, after], test: [testPath, text], request }: ValueExample) {
  const base = new Map([[testPath, text]])
  if (before !== '') base.set(path, before)
  return findCopiedValues(base, new Map([...base, [path, after]]), { request: request ?? 'Fix the test.' })
}

test.for(COPIED_VALUES)('$program.0: a program that $name is found', (example) => {
  const [path] = example.program
  expect(find(example)).toContain(`${path} has "`)
})

test.for(GENERAL_SOLUTIONS)('$program.0: nothing is said against a program that $name', (example) => {
  expect(find(example)).toBeNull()
})

const PRICES = 'export function price(zone) {\n  return 500\n}\n'
const LAGOS = "export function price(zone) {\n  if (zone === 'lagos') return 0\n  return 500\n}\n"
const PRICE_TEST = "test('price', () => assert.equal(price('lagos'), 0))\n"

test('an exception for a value of the tests counts, unless the request, a document or the program names it', () => {
  const base = new Map([
    ['src/price.js', PRICES],
    ['test/price.test.js', PRICE_TEST],
  ])
  const find = (more: Record<string, string>, request: string) => {
    const before = new Map([...base, ...Object.entries(more)])
    return findCopiedValues(before, new Map([...before, ['src/price.js', LAGOS]]), { request })
  }
  expect(find({}, 'Fix the failing test.')).toContain("zone === 'lagos'")
  expect(find({}, 'Delivery in lagos is free.')).toBeNull()
  expect(find({ 'README.md': 'Delivery in lagos is free.' }, 'Fix the failing test.')).toBeNull()
  expect(find({ 'src/zones.js': "export const ZONES = ['lagos', 'abuja']" }, 'Fix the test.')).toBeNull()
})

test('tests, documents and lines that were there before do not count', () => {
  const base = new Map([
    ['src/price.js', LAGOS],
    ['test/price.test.js', PRICE_TEST],
  ])
  const now = new Map([
    ['src/price.js', `${LAGOS}export const name = 'price'\n`],
    ['test/price.test.js', PRICE_TEST],
    ['test/helper.js', "if (zone === 'a b 1') throw new Error()\n"],
    ['docs/price.md', "if (zone === 'a b 1') return 4711\n"],
  ])
  expect(findCopiedValues(base, now)).toBeNull()
})

test('hostile text is read in bounded time', () => {
  const texts = [
    '('.repeat(20_000),
    `${'['.repeat(300)}1,`.repeat(200),
    `if (a === ${'"x", '.repeat(5_000)}`,
    `${'a == 1 && '.repeat(3_000)}`,
    "'".repeat(50_000),
    `/*${'*'.repeat(50_000)}`,
    `case ${'1, '.repeat(10_000)}:`,
    `${' '.repeat(50_000)}return`,
    'if (a === 2 && b === 3) return 5\n'.repeat(5_000),
    Array.from({ length: 5_000 }, (_, i) => `if (a == (${i}, 2, 3)) return [${i}, 7]`).join('\n'),
  ]
  const test = `${texts.join('\n')}\n${'add(2, 3)\n'.repeat(5_000)}`
  const find = () => {
    for (const [n, path] of ['a.js', 'a.py'].entries())
      for (const text of texts.filter((_, i) => isSoak || i % 2 === n))
        findCopiedValues(
          new Map([
            ['t.test.js', test],
            [path, 'x\n'],
          ]),
          new Map([
            ['t.test.js', test],
            [path, `x\n${text}`],
          ]),
        )
  }
  expect(measureCost(find)).toBeLessThan(6_000)
})
