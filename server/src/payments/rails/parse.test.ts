import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { isWithinGracePeriod, parseJsonExactly, singleHeader } from './parse.ts'

test.for<[string, unknown]>([
  ['{"id":18446744073709551615,"amount":150050}', { id: '18446744073709551615', amount: 150_050 }],
  ['[1234567890123456, -1234567890123456]', ['1234567890123456', '-1234567890123456']],
  ['{"a \\" 1234567890123456":"1234567890123456, 1"}', { 'a " 1234567890123456': '1234567890123456, 1' }],
  ['{"x":0.1234567890123456789}', { x: 0.12345678901234568 }],
  ['{"x":1234567890123456.5,"y":1234567890123456e3}', { x: 1234567890123456.5, y: 1234567890123456e3 }],
  ['{"id":', undefined],
  ['', undefined],
])('%s is read without losing digits', ([text, value]) => {
  expect(parseJsonExactly(text)).toEqual(value)
})

test('a header must be present exactly once', () => {
  const one = (value: string | string[] | undefined) =>
    singleHeader({ raw: Buffer.alloc(0), headers: { signature: value } }, 'signature')
  expect([one('a'), one(['a']), one(['a', 'a']), one([]), one(undefined)]).toEqual([
    'a',
    'a',
    null,
    null,
    null,
  ])
})

test('a payment is recent until the minutes have passed', () => {
  const clock = new ManualClock()
  const query = queryOf(testOrder({ createdAt: clock.now() }))
  clock.advance({ minutes: 9, seconds: 59 })
  expect(isWithinGracePeriod(testHttp(clock), query)).toBe(true)
  clock.advance({ seconds: 1 })
  expect(isWithinGracePeriod(testHttp(clock), query)).toBe(false)
  expect(isWithinGracePeriod(testHttp(clock), query, 11)).toBe(true)
})
