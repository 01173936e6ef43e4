import { expect, test } from 'vitest'
import { formatPhone } from './phone.ts'

test.for([
  ['0712 345 678', 'KES', '+254 712 345 678'],
  ['0712345678', 'KES', '+254 712 345 678'],
  ['+254712345678', 'KES', '+254 712 345 678'],
  ['00254 712-345-678', 'KES', '+254 712 345 678'],
  ['254712345678', 'KES', '+254 712 345 678'],
  ['+254 (0)712 345 678', 'KES', '+254 712 345 678'],
  ['08031234567', 'NGN', '+234 803 123 4567'],
  ['621234567', 'GNF', '+224 621 234 567'],
  ['0712 345', 'KES', null],
  ['712345678', 'KES', null],
  ['+233244123456', 'KES', null],
  ['0101234567', 'XOF', null],
  ['', 'KES', null],
] as const)('%s in %s is read out as %s', ([typed, currency, spoken]) => {
  expect(formatPhone(typed, currency)).toBe(spoken)
})
