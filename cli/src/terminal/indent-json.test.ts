import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('JSON is indented like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('numbers keep all digits', () => {
  expect(indentJson('{"seq":9007199254740993,"rate":1.50}')).toBe(
    '{\n  "seq": 9007199254740993,\n  "rate": 1.50\n}',
  )
})
