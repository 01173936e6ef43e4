import { expect, test } from 'vitest'
import { isPermissive } from './licence.ts'
import { pairsIn } from './mine.ts'
import { duplicateDetector } from './near-duplicates.ts'
import type { SourceLanguage } from './pair.ts'

const JSDOC =
  '/**\n * Adds up all amounts of an invoice. More is said here.\n * @param items what was bought\n */\n'

test.for<[SourceLanguage, string, name: string]>([
  [
    'javascript',
    `${JSDOC}function totalOf(items) {\n  return items.reduce((sum, { amount }) => sum + amount, 0)\n}\n`,
    'totalOf',
  ],
  [
    'typescript',
    `${JSDOC}export const totalOf = (items: Item[]): bigint => {\n  return sum(items.map(amountOf))\n}\n`,
    'totalOf',
  ],
  [
    'java',
    `${JSDOC}@Override\npublic final long totalOf(List<Item> items) {\n  return items.stream().sum();\n}\n`,
    'totalOf',
  ],
  [
    'php',
    `${JSDOC}public static function totalOf(array $items): int\n{\n    return array_sum(array_column($items, 'a'));\n}\n`,
    'totalOf',
  ],
  [
    'python',
    'def total_of(items):\n    """Adds up all amounts of an invoice.\n\n    More is said here.\n    """\n    return sum(item.amount for item in items)\n\nx = 1\n',
    'total_of',
  ],
  [
    'go',
    '// TotalOf Adds up all amounts of an invoice. More is said here.\nfunc TotalOf(items []Item) (sum int64) {\n\tfor _, item := range items {\n\t\tsum += item.Amount\n\t}\n\treturn\n}\n',
    'TotalOf',
  ],
])('a documented function of %s becomes a question and its code', ([language, text, name]) => {
  const [pair, ...more] = pairsIn('a/b', language, text)
  expect(more).toEqual([])
  expect(pair).toMatchObject({ language, name, question: 'Adds up all amounts of an invoice' })
  expect(pair?.code).toContain('sum')
  expect(pair?.code).not.toMatch(/invoice|x = 1/)
})

test.for<[string, string]>([
  ['nothing', '/** Does it. */ function doIt() { return itself(1, 2, 3, 4, 5) }'],
  [
    'a licence',
    '/** Copyright of the authors of this package. */ function f() { return itself(1, 2, 3, 4, 5) }',
  ],
  [
    'another language',
    '/** Сложить все суммы в счёте вместе. */ function f() { return itself(1, 2, 3, 4, 5) }',
  ],
  ['no function', '/** The number of all things that are. */\nconst COUNT = 42'],
])('documentation with %s gives no question', ([, text]) => {
  expect(pairsIn('a/b', 'javascript', text)).toEqual([])
})

test('a copy of an evaluation pair is recognized by its words, and by its question alone', () => {
  const code =
    'function totalOf(items) { let sum = 0; for (const item of items) sum += item.amount * item.count; return sum }'
  const pair = {
    language: 'javascript',
    path: 'a',
    name: 'totalOf',
    question: 'Adds up all amounts',
    code,
  } as const
  const isLike = duplicateDetector([pair])
  expect(
    isLike({
      ...pair,
      question: 'Something else',
      code: `${code.replaceAll(' ', '\n')}\nexport { totalOf }`,
    }),
  ).toBe(true)
  expect(isLike({ ...pair, code: 'function other() { return 1 }' })).toBe(true)
  expect(
    isLike({ ...pair, question: 'Something else', code: 'function f(a, b, c, d, e, g) { return h(a, i) }' }),
  ).toBe(false)
})

test.for([
  ['MIT', true],
  ['(MIT OR Apache-2.0)', true],
  ['BSD-3-Clause', true],
  ['Apache Software License', true],
  ['MIT License and BSD License', true],
  ['Expat', true],
  ['GPL-3.0', false],
  ['(MIT OR GPL-3.0-or-later)', false],
  ['LGPL-2.1+', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
] as const)('training on «%s» is allowed: %s', ([licence, isFree]) => {
  expect(isPermissive(licence)).toBe(isFree)
})
