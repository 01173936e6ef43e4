import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visible, visiblePath } from './visible.ts'

test.for([
  ['\x1b[2J', '\\x1b[2J'],
  ['a\u009b31mb', 'a\\x9b31mb'],
  ['user\u202etxt.exe', 'user\\u202etxt.exe'],
  ['\u2066isolated\u2069', '\\u2066isolated\\u2069'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['a\tb', 'a    b'],
  ['two\nlines', 'two\\nlines'],
  ['lone \ud800', 'lone \\ud800'],
])('%j is shown as %j', ([text = '', shown]) => expect(visible(text)).toBe(shown))

test('Arabic, Persian and emoji keep their joiners and marks', () => {
  for (const text of ['مرحبا\u200f!', 'می\u200cخواهم', '👩‍👩‍👧', 'e\u0301', '₦1,500'])
    expect(visible(text)).toBe(text)
})

test('a path shows everything that cannot be seen', () => {
  expect(visiblePath('src/a\u200d.ts')).toBe('src/a\\u200d.ts')
  expect(visiblePath('src/a\u00a0b\t.ts')).toBe('src/a\\xa0b\\t.ts')
  expect(visiblePath('كود/ملف.ts')).toBe('كود/ملف.ts')
})

test('nothing that acts on a terminal remains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})
