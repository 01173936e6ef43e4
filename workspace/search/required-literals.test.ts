import { pickOne, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { expect, test } from 'vitest'
import { requiredLiterals } from './required-literals.ts'

test.for<[source: string, literals: string[] | undefined]>([
  ['function\\s+parse\\w+', ['function']],
  ["import .* from '\\./x\\.ts'", [" from './x.ts'"]],
  ['colou?rs and', ['rs and']],
  ['ab{0,1}xyz', ['xyz']],
  ['one+three', ['three']],
  ['(optional)?total', ['total']],
  ['total|amount', ['total', 'amount']],
  ['total|\\d+', undefined],
  ['(?!total)', undefined],
  ['[total]', undefined],
  ['.*', undefined],
  // These can match a placeholder that the raw text does not have.
  ["'WITHHELD", undefined],
  ['decade', undefined],
])('the literals of %s are %j', ([source, literals]) => {
  expect(requiredLiterals(source)).toEqual(literals)
})

test('every match contains a required literal', () => {
  const random = seeded(7)
  const parts = ['total', 'x', '\\(', '\\w', '[tox]', '.', '(total)', '(?:xo|to)', '(?=to)', '\\btotal', 'o']
  const ends = ['', '', '', '?', '*', '+', '{1,2}', '|', '+?']
  const words = ['total', 'x', '(', 'to', 'xo', 'ttotal', ' ', 'o', 'tx']
  const draw = (list: readonly string[], most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pickOne(random, list) ?? '').join('')
  let checked = 0
  for (let round = 0; round < 3_000; round++) {
    const source = Array.from({ length: 3 }, () => draw(parts, 1) + draw(ends, 1)).join('')
    const literals = requiredLiterals(source)
    const text = draw(words, 6)
    const [match] = new RegExp(source).exec(text) ?? []
    if (literals === undefined || match === undefined) continue
    checked += 1
    expect(
      literals.some((literal) => text.includes(literal)),
      `${source} in ${text}`,
    ).toBe(true)
  }
  expect(checked).toBeGreaterThan(50)
})
