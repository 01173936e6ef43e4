import { expect, test } from 'vitest'
import { eachWord, stemOf, subtokensOf } from './subtokens.ts'

test.for([
  ['parseHTTPDate2', ['pars', 'http', 'dat', '2']],
  ['MAX_RETRY_COUNT', ['max', 'retry', 'count']],
  ['__private$name', ['privat', 'nam']],
  ['sha256Sum', ['sha', '256', 'sum']],
  ['naïveCafé', ['naïv', 'café']],
  ['ＦｕｌｌＷｉｄｔｈ', ['full', 'width']],
  ['🙂', []],
] as const)('%s is split into its parts', ([word, parts]) => {
  expect(subtokensOf(word)).toEqual(parts)
})

test.for<[string]>([
  ['parse parses parsed parsing'],
  ['cache caches cached caching'],
  ['stop stops stopped stopping'],
  ['query queries'],
  ['class classes'],
  ['validate validates validation validating'],
])('the forms %s have the same stem', ([forms]) => {
  expect(new Set(forms.split(' ').map(stemOf)).size).toBe(1)
})

test.for<[string]>([['string'], ['process'], ['status'], ['need'], ['bus'], ['this']])(
  '%s is not a form of another word',
  ([word]) => {
    expect(stemOf(word)).toBe(word)
  },
)

test('words are returned in order, and a very long one is split', () => {
  const told: string[] = []
  const text = `a.b_c(d) ${'x'.repeat(300)}`
  eachWord(text, text.length, (word) => told.push(word))
  expect(told.slice(0, 3)).toEqual(['a', 'b_c', 'd'])
  expect(told.slice(3).join('')).toBe('x'.repeat(300))
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThanOrEqual(128)
})
