import { expect, test } from 'vitest'
import { piecesOf, plainText, strongIn } from './code-spans.ts'

const shown = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.isCode ? `{${piece.text}}` : piece.text))
    .join('')

test('code in backticks is separated from text', () => {
  expect(shown('Calls `add` before `` a`b `` is read.')).toBe('Calls {add} before {a`b} is read.')
  expect(shown('`all`')).toBe('{all}')
  expect(piecesOf('no code, __init__ and a*b*c')).toEqual([
    { text: 'no code, __init__ and a*b*c', isCode: false },
  ])
  expect(piecesOf('')).toEqual([])
})

test('unclosed backticks stay literal', () => {
  expect(shown('it`s so\nuse `x` now\n```ts\ncode\n```')).toBe('it`s so\nuse {x} now\n```ts\ncode\n```')
  expect(shown('` `` ```')).toBe('` `` ```')
})

test('bold text and headings are strong, and everything else is literal', () => {
  const strong = (text: string) =>
    strongIn(text)
      .map((part) => (part.isStrong ? `<${part.text}>` : part.text))
      .join('')
  expect(strong('## Done\nIt was **quite wrong**; dial *170# or *171*1#.')).toBe(
    '<Done>\nIt was <quite wrong>; dial *170# or *171*1#.',
  )
  expect(strong('a ** b ** c, **open, #170 and 2**3')).toBe('a ** b ** c, **open, #170 and 2**3')
})

test('plain text omits only the backticks', () => {
  expect(plainText('Make `add` add.')).toBe('Make add add.')
})
