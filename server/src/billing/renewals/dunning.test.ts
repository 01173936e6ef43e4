import { describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { afterChallenge, afterDecline } from './dunning.ts'

const periodStart = new Date('2027-01-31T08:30:00.000Z')
const onDay = (days: number, minutes = 0) => after(periodStart, { days, minutes })

describe('a decline', () => {
  test.for([
    { declines: 0, now: onDay(0, 4), next: onDay(1) },
    { declines: 1, now: onDay(1, 9), next: onDay(3) },
    { declines: 2, now: onDay(3, 2), next: onDay(5) },
  ])('number $declines is followed by an attempt on its day', ({ declines, now, next }) => {
    expect(afterDecline({ periodStart, declines }, now)).toEqual({
      do: 'retry',
      declines: declines + 1,
      at: next,
    })
  })

  test('number four ends the subscription', () => {
    expect(afterDecline({ periodStart, declines: 3 }, onDay(5, 3))).toEqual({ do: 'end' })
  })

  test('before the next attempt day counts as none of the four', () => {
    expect(afterDecline({ periodStart, declines: 1 }, onDay(0, 30))).toEqual({
      do: 'retry',
      declines: 1,
      at: onDay(1),
    })
  })

  test.for([
    { it: 'first', declines: 0, pauseDays: 1 },
    { it: 'second', declines: 1, pauseDays: 2 },
    { it: 'third', declines: 2, pauseDays: 2 },
  ])('that is weeks late keeps the normal pause: $it', ({ declines, pauseDays }) => {
    const late = onDay(20)
    expect(afterDecline({ periodStart, declines }, late)).toEqual({
      do: 'retry',
      declines: declines + 1,
      at: after(late, { days: pauseDays }),
    })
  })

  test('does not count while the clock is set back to before the period', () => {
    expect(afterDecline({ periodStart, declines: 0 }, onDay(-1))).toEqual({
      do: 'retry',
      declines: 0,
      at: periodStart,
    })
  })
})

describe('a challenge by the bank', () => {
  test('counts as an attempt', () => {
    expect(afterChallenge({ periodStart, declines: 0 }, onDay(0, 1))).toEqual({
      do: 'retry',
      declines: 1,
      at: onDay(1),
    })
  })

  test('on the last attempt gives the customer one more day', () => {
    expect(afterChallenge({ periodStart, declines: 3 }, onDay(5, 1))).toEqual({
      do: 'retry',
      declines: 4,
      at: onDay(6, 1),
    })
  })
})
