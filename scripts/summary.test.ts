import { expect, test } from 'vitest'
import { summaryOf } from './summary.mjs'

test('a successful run ends with one line of counts', () => {
  expect(summaryOf({ numPassedTests: 7, numFailedTests: 0 }, [])).toEqual({
    isGood: true,
    text: '7 passed, 0 failed',
  })
})

test('a failed run names the failed steps', () => {
  expect(summaryOf({ numPassedTests: 7, numFailedTests: 1 }, ['lint', 'tests'])).toEqual({
    isGood: false,
    text: 'Failed: lint, tests\n7 passed, 1 failed',
  })
})

test.for([null, {}, { numPassedTests: 0, numFailedTests: 0 }])(
  'a run without tests is a failure: %o',
  (report) => {
    const { isGood, text } = summaryOf(report, ['tests'])
    expect(isGood).toBe(false)
    expect(text).toMatch(/^No test ran\. /)
  },
)
