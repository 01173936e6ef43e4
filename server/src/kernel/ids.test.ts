import { expect, test } from 'vitest'
import { isId, newId } from './ids.ts'

test('ids sort by creation time', () => {
  const times = [0, 1, 1_000, 1_763_000_000_000, 1_763_000_000_001, 2 ** 47]
  const ids = times.map((time) => newId('led', time))
  expect([...ids].sort()).toEqual(ids)
})

test('ids are unique, also within one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('run', 1_763_000_000_000))
  expect(new Set(ids).size).toBe(ids.length)
})

test('every random character of an id takes every value', () => {
  const ids = Array.from({ length: 2_000 }, () => newId('run', 0).slice('run_'.length + 10))
  const seen = Array.from({ length: 16 }, (_, at) => new Set(ids.map((id) => id[at])).size)
  expect(seen).toEqual(Array.from({ length: 16 }, () => 32))
})

test('an id is recognised by its prefix and format', () => {
  expect(isId('usr', newId('usr'))).toBe(true)
  for (const text of [
    '',
    'usr_',
    newId('org'),
    `${newId('usr')}x`,
    newId('usr').toUpperCase(),
    newId('usr').replace(/.$/, 'u'),
  ])
    expect(isId('usr', text)).toBe(false)
})
