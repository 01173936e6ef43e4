import { describe, expect, test } from 'vitest'
import { FIRST, listQuery, summaryQuery } from './request-query.ts'

const NOW = Date.parse('2026-11-15T09:42:10.000Z')

describe('the range of the chart', () => {
  test('of one day is 24 full hours', () => {
    expect(summaryQuery({ ...FIRST, days: 1 }, NOW)).toEqual({
      bucket: 'hour',
      from: '2026-11-14T10:00:00.000Z',
    })
  })

  test('of more days is full days', () => {
    expect(summaryQuery({ ...FIRST, days: 7 }, NOW)).toEqual({
      bucket: 'day',
      from: '2026-11-09T00:00:00.000Z',
    })
  })
})

describe('the list', () => {
  test('has the range of the chart, and only the chosen filters', () => {
    const filter = { ...FIRST, status: 'failed', model: 'open' } as const
    expect(listQuery(filter, NOW)).toEqual({
      from: '2026-11-09T00:00:00.000Z',
      status: 'failed',
      model: 'open',
    })
  })

  test('of a chosen bar has its hour or day', () => {
    expect(listQuery({ ...FIRST, bar: '2026-11-10T00:00:00.000Z' }, NOW)).toEqual({
      from: '2026-11-10T00:00:00.000Z',
      to: '2026-11-11T00:00:00.000Z',
    })
    expect(listQuery({ ...FIRST, days: 1, bar: '2026-11-15T08:00:00.000Z', keyId: 'key_1' }, NOW)).toEqual({
      from: '2026-11-15T08:00:00.000Z',
      to: '2026-11-15T09:00:00.000Z',
      keyId: 'key_1',
    })
  })
})
