import { expect, test } from 'vitest'
import { changesIn } from './audit-changes.ts'

test('a value before and after is one change, and other fields are listed too', () => {
  expect(changesIn({ from: 10, to: 25, previousSource: 'default' })).toEqual([
    { name: '', from: '10', to: '25' },
    { name: 'previousSource', from: null, to: 'default' },
  ])
  expect(changesIn({ from: null, to: 'x' })).toEqual([{ name: '', from: 'null', to: 'x' }])
})

test('only differing fields are changes', () => {
  expect(changesIn({ before: { a: 1, b: 2 }, after: { a: 1, b: 3n, c: [1] } })).toEqual([
    { name: 'b', from: '2', to: '3' },
    { name: 'c', from: 'null', to: '[1]' },
  ])
})

test('an entry without before and after lists its fields', () => {
  expect(changesIn({ valueHidden: true })).toEqual([{ name: 'valueHidden', from: null, to: 'true' }])
  expect(changesIn({})).toEqual([])
})
