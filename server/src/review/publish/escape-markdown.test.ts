// Texts of strangers in our comments.
import { expect, test } from 'vitest'
import { escapeProse, formatCode, toOneLine } from './escape-markdown.ts'

test('prose rings nobody, links nowhere and is no markup', () => {
  const text = escapeProse(
    '@everyone see [this](https://evil.example) www.evil.example ![x](y) <img src=x> #12 **b** `c`\n# head',
  )
  expect(text).not.toMatch(/@\w|:\/\/|www\.|(?<!\\)[<>[\]()!#*`]|\n/)
  expect(text.replaceAll(/[\\\u200b]/g, '')).toBe(
    '@everyone see [this](https://evil.example) www.evil.example ![x](y) <img src=x> #12 **b** `c` # head',
  )
})

test.for(['octo/pay#12', '#12', 'GH-12', 'a@b.example', 'http://evil.example', 'WWW.evil.example'])(
  'GitHub makes no link of %s, whose backslashes are gone when it looks',
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
])('%j is code: %s', ([text, expected]) => {
  expect(formatCode(text ?? '')).toBe(expected)
})

test('a line has no characters that hide or turn what is beside them, and an end', () => {
  expect(toOneLine('a\u202eb\u0000c\u2028d')).toBe('a b c d')
  expect(toOneLine('x'.repeat(5_000))).toHaveLength(2_000)
})
