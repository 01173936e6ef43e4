import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { pickOne, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { expect, test } from 'vitest'
import { createPartFinder, createValueFinder } from './value-finder.ts'

const ALPHABET = ['a', 'b', 'B', '1', '_', 'é', '🙂', '\n']

test('finds exactly the occurrences that a plain search finds', () => {
  const random = seeded(7)
  const draw = (most: number) =>
    Array.from({ length: Math.floor(random() * most) }, () => pickOne(random, ALPHABET) ?? '').join('')
  for (let round = 0; round < 200; round++) {
    const values = [...new Set(Array.from({ length: 12 }, () => draw(14)))].filter(
      ({ length }) => length >= 6,
    )
    const text = Array.from({ length: 30 }, () => (random() < 0.4 ? pickOne(random, values) : draw(9))).join(
      '',
    )
    const expected: string[] = []
    for (const value of values)
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
        expected.push(`${at} ${value}`)
    const found = createValueFinder(values).find(text)
    expect(found.map(({ start, value }) => `${start} ${value}`).sort()).toEqual(expected.sort())
  }
})

test('finds a long part of a value wherever it was cut', () => {
  const value = 'q8Zr2Lk0Vw5Yt1Xs9Pn3Mb7Jd6Hg4Fc'
  const finder = createPartFinder()
  finder.add(value)
  for (let from = 0; from + 16 <= value.length; from++)
    for (let to = from + 16; to <= value.length; to++) {
      const part = value.slice(from, to)
      expect(finder.find(`x ${part} y`)).toContainEqual({ start: 2, value: part })
    }
  expect(finder.find(`x ${value.slice(4, 14)} y`)).toEqual([])
})

test('texts of one repeated character take no longer than others', () => {
  const finder = createPartFinder()
  for (let i = 0; i < 500; i++) finder.add('A'.repeat(40 + i))
  const find = () => expect(finder.find('A'.repeat(200_000)).length).toBeGreaterThan(0)
  expect(measureCost(find)).toBeLessThan(5_000)
})
