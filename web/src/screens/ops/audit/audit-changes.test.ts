import { expect, test } from 'vitest'
import { changesIn } from './audit-changes.ts'

test('one value before and after is one change, and the rest is told beside it', () => {
  expect(changesIn({ from: 10, to: 25, previousSource: 'default' })).toEqual([
    { name: '', from: '10', to: '25' },
    { name: 'previousSource', from: null, to: 'default' },
  ])
  expect(changesIn({ from: null, to: 'x' })).toEqual([{ name: '', from: 'null', to: 'x' }])
})

test('of fields before and after only those that differ are changes', () => {
  expect(changesIn({ before: { a: 1, b: 2 }, after: { a: 1, b: 3n, c: [1] } })).toEqual([
    { name: 'b', from: '2', to: '3' },
    { name: 'c', from: 'null', to: '[1]' },
  ])
})

test('an entry without before and after tells what it has', () => {
  expect(changesIn({ valueHidden: true })).toEqual([{ name: 'valueHidden', from: null, to: 'true' }])
  expect(changesIn({})).toEqual([])
})
