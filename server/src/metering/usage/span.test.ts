import { describe, expect, test } from 'vitest'
import { divide, startOfDay } from './span.ts'

const at = (text: string) => new Date(`2026-11-${text}Z`)
const spanOf = (from: string, to: string) => ({ from: at(from), to: at(to) })
const MIDNIGHT = 'T00:00:00.000'

describe('a period is divided into points, sealed days, and points', () => {
  test('with a partial day on either side', () => {
    expect(divide(spanOf('10T09:30:00.000', '14T17:00:00.000'), at(`20${MIDNIGHT}`))).toEqual({
      before: spanOf('10T09:30:00.000', `11${MIDNIGHT}`),
      days: spanOf(`11${MIDNIGHT}`, `14${MIDNIGHT}`),
      after: spanOf(`14${MIDNIGHT}`, '14T17:00:00.000'),
    })
  })

  test('up to the end of the last sealed day', () => {
    expect(divide(spanOf(`10${MIDNIGHT}`, '14T17:00:00.000'), at(`12${MIDNIGHT}`))).toEqual({
      before: spanOf(`10${MIDNIGHT}`, `10${MIDNIGHT}`),
      days: spanOf(`10${MIDNIGHT}`, `12${MIDNIGHT}`),
      after: spanOf(`12${MIDNIGHT}`, '14T17:00:00.000'),
    })
  })

  test.for([
    ['nothing is sealed', '10T09:30:00.000', '14T17:00:00.000', null],
    ['it starts after the last seal', '10T09:30:00.000', '14T17:00:00.000', `11${MIDNIGHT}`],
    ['it is within one day', '10T09:30:00.000', '10T17:00:00.000', `20${MIDNIGHT}`],
    ['it crosses midnight and contains no whole day', '10T23:59:59.999', '11T00:00:00.001', `20${MIDNIGHT}`],
    ['it is empty', `10${MIDNIGHT}`, `10${MIDNIGHT}`, `20${MIDNIGHT}`],
  ] as const)('or not at all where %s', ([, from, to, sealed]) => {
    const span = spanOf(from, to)
    expect(divide(span, sealed === null ? null : at(sealed))).toEqual({
      before: span,
      days: { from: span.to, to: span.to },
      after: { from: span.to, to: span.to },
    })
  })

  test('and a day from midnight to midnight is a whole day', () => {
    const span = spanOf(`10${MIDNIGHT}`, `11${MIDNIGHT}`)
    expect(divide(span, at(`11${MIDNIGHT}`)).days).toEqual(span)
  })
})

test('a day starts at midnight UTC, also before 1970', () => {
  expect(startOfDay(new Date('1969-12-31T23:59:59.999Z'))).toEqual(new Date('1969-12-31T00:00:00.000Z'))
  expect(startOfDay(at(`15${MIDNIGHT}`))).toEqual(at(`15${MIDNIGHT}`))
})
