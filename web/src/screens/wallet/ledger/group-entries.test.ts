import type { LedgerEntry } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { groupEntries } from './group-entries.ts'

const entry = (id: string, ref: string, day = '18', type: LedgerEntry['type'] = 'debit') =>
  ({ id, ref, type, source: 'agent', amountMinor: 5n, createdAt: `2026-11-${day}T12:00:00Z` }) as LedgerEntry

const idsOf = (entries: LedgerEntry[]) =>
  groupEntries(entries, false).map((group) => group.entries.map(({ id }) => id))

test('consecutive charges of one piece of work are one group, and others are not', () => {
  expect(idsOf([entry('a', 'tt_1.2.1'), entry('b', 'tt_1.1.1'), entry('c', 'tt_2.1.1')])).toEqual([
    ['a', 'b'],
    ['c'],
  ])
  expect(idsOf([entry('a', 'tt_1.2.1'), entry('b', 'tt_1.1.1', '17')])).toEqual([['a'], ['b']])
  expect(idsOf([entry('a', 'same'), entry('b', 'same')])).toEqual([['a'], ['b']])
})

test('a day opens with its charges, unless a part of it is not loaded', () => {
  const entries = [entry('a', 'x'), entry('b', 'y', '18', 'credit'), entry('c', 'z', '17')]
  expect(groupEntries(entries, true).map(({ opensDay }) => opensDay)).toEqual([
    { spentMinor: 5n },
    null,
    { spentMinor: null },
  ])
  expect(groupEntries(entries, false)[2]?.opensDay).toEqual({ spentMinor: 5n })
})
