// Untrusted text in comments.
import { expect, test } from 'vitest'
import { escapeProse, formatCode, formatCodeBlock, formatProse, toOneLine } from './escape-markdown.ts'

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
  ['Use `db.query(sql, [id])` here', 'Use `db.query(sql, [id])` here'],
  ['`a` and `b`', '`a` and `b`'],
  ['a ` b', 'a &#96; b'],
  ['``a``', '&#96;&#96;a&#96;&#96;'],
  ['`@ada` *x* @ada', '`@ada` \\*x\\* @\u200bada'],
  ['`/close`', '`/close`'],
  ['/close', '\\/close'],
  ['see !12 and ~bug', 'see \\!\u200b12 and \\~\u200bbug'],
])('%j as prose with code is %j', ([text, expected]) => {
  expect(formatProse(text ?? '')).toBe(expected)
})

test('a block of code is fenced with more backticks than it contains', () => {
  expect(formatCodeBlock('a\n```\nb', 'suggestion')).toBe('````suggestion\na\n```\nb\n````')
})

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
