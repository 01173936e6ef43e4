import { expect, test } from 'vitest'
import { piecesOf, plainWords } from './code-words.ts'

const shown = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.isCode ? `{${piece.text}}` : piece.text))
    .join('')

test('code between backticks is told apart from the words around it', () => {
  expect(shown('Calls `add` before `` a`b `` is read.')).toBe('Calls {add} before {a`b} is read.')
  expect(shown('`all`')).toBe('{all}')
  expect(piecesOf('no code, __init__ and a*b*c')).toEqual([
    { text: 'no code, __init__ and a*b*c', isCode: false },
  ])
  expect(piecesOf('')).toEqual([])
})

test('what is not closed in its line stays as it was written', () => {
  expect(shown('it`s so\nuse `x` now\n```ts\ncode\n```')).toBe('it`s so\nuse {x} now\n```ts\ncode\n```')
  expect(shown('` `` ```')).toBe('` `` ```')
})

test('plain words have everything but the backticks', () => {
  expect(plainWords('Make `add` add.')).toBe('Make add add.')
})
