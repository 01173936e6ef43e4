// Untrusted text in comments.
import { expect, test } from 'vitest'
import { escapeProse, formatCode, toOneLine } from './escape-markdown.ts'

test('escaped prose has no mentions, links or markup', () => {
  const text = escapeProse(
    '@everyone see [this](https://evil.example) www.evil.example ![x](y) <img src=x> #12 **b** `c`\n# head',
  )
  expect(text).not.toMatch(/@\w|:\/\/|www\.|(?<!\\)[<>[\]()!#*`]|\n/)
  expect(text.replaceAll(/[\\\u200b]/g, '')).toBe(
    '@everyone see [this](https://evil.example) www.evil.example ![x](y) <img src=x> #12 **b** `c` # head',
  )
})

test.for(['octo/pay#12', '#12', 'GH-12', 'a@b.example', 'http://evil.example', 'WWW.evil.example'])(
  'GitHub does not link %s after removing the backslashes',
  (text) => {
    const shown = escapeProse(text).replaceAll('\\', '')
    expect(shown).not.toMatch(/#\d|GH-\d|@\w|:\/\/|www\./i)
  },
)

test.for([
  ['a', '`a`'],
  ['a`b', '`` a`b ``'],
  ['``', '``` `` ```'],
  ['', '` `'],
  ['a\nb', '`a b`'],
])('%j as inline code is %s', ([text, expected]) => {
  expect(formatCode(text ?? '')).toBe(expected)
})

test('a line has no control or bidirectional characters and a limited length', () => {
  expect(toOneLine('a\u202eb\u0000c\u2028d')).toBe('a b c d')
  expect(toOneLine('x'.repeat(5_000))).toHaveLength(2_000)
})
