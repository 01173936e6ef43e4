import { expect, test } from 'vitest'
import { redactedDetail } from './text.ts'

test.for([
  [
    [400, 'duplicate_reference', 'Duplicate Transaction Reference'],
    '400, duplicate_reference, Duplicate Transaction Reference',
  ],
  [['500.001.1001', 'Merchant does not exist'], '500.001.1001, Merchant does not exist'],
  [['OPEN_GW_000012', null, undefined, ''], 'OPEN_GW_000012'],
  [['Invalid phone 254712345678.'], 'Invalid phone ….'],
  [['Payer +254 712 345-678 is barred'], 'Payer … is barred'],
  [['no such customer: ada@example.com'], 'no such customer: …'],
  [['one\nline\u0007 only'], 'one line only'],
  [[], ''],
] as const)('%o is logged as "%s"', ([parts, logged]) => {
  expect(redactedDetail(...parts)).toBe(logged)
})

test('long text is truncated', () => {
  expect(redactedDetail('a'.repeat(1_000))).toHaveLength(200)
})
