import { describe, expect, test } from 'vitest'
import { type AttemptResult, chooseNextStep, findBestAttempt } from './retry-policy.ts'

const attempt = (stateHash: string, signature: string, failing = 1): AttemptResult => ({
  stateHash,
  signature,
  failing,
})
const move = (...attempts: AttemptResult[]) => chooseNextStep(attempts)

describe('after an attempt that failed', () => {
  test('another follows when the failure is a new one', () => {
    expect(move(attempt('a', 'x'), attempt('b', 'y'))).toEqual({ kind: 'continue', from: null, hint: null })
  })

  test('the same change with the same failure ends it', () => {
    expect(move(attempt('a', 'w'), attempt('b', 'x'), attempt('b', 'x'))).toEqual({ kind: 'stop' })
  })

  test('an attempt that changes nothing of the original files ends it', () => {
    expect(move(attempt('a', 'x'), attempt('a', 'x'))).toEqual({ kind: 'stop' })
  })

  test('another change with the same failure asks for another approach', () => {
    const next = move(attempt('a', 'x'), attempt('b', 'x'))
    expect(next).toMatchObject({
      kind: 'continue',
      from: null,
      hint: expect.stringContaining('different hypothesis'),
    })
  })

  test('a return to the state of an earlier attempt ends it', () => {
    expect(move(attempt('a', 'x'), attempt('b', 'y'), attempt('a', 'z'))).toEqual({ kind: 'stop' })
    expect(move(attempt('o', 'w'), attempt('a', 'x'), attempt('b', 'y'), attempt('a', 'x'))).toEqual({
      kind: 'stop',
    })
  })

  test('the same change with another failure continues, because tests may be flaky', () => {
    expect(move(attempt('a', 'x'), attempt('b', 'y'), attempt('b', 'z'))).toMatchObject({ kind: 'continue' })
  })
})

describe('when more tests fail each time', () => {
  test('one worse attempt is tolerated', () => {
    expect(move(attempt('a', 'x', 1), attempt('b', 'y', 2))).toMatchObject({ from: null })
  })

  test('the second one returns to the best attempt', () => {
    const next = move(attempt('a', 'w', 3), attempt('b', 'x', 1), attempt('c', 'y', 2), attempt('d', 'z', 3))
    expect(next).toMatchObject({ kind: 'continue', from: 1, hint: expect.stringContaining('taken back') })
  })

  test('uncounted failures are equal to each other', () => {
    const lost = Number.POSITIVE_INFINITY
    expect(move(attempt('a', 'x', 1), attempt('b', 'y', lost), attempt('c', 'z', lost))).toMatchObject({
      from: null,
    })
  })
})

test('the best attempt is the latest of those with the fewest failures', () => {
  expect(findBestAttempt([{ failing: 2 }, { failing: 1 }, { failing: 1 }, { failing: 3 }])).toBe(2)
  expect(findBestAttempt([])).toBe(-1)
})
