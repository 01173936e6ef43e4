import fc from 'fast-check'
import { expect, test } from 'vitest'
import { green, type Line, render, verbatim } from './line.ts'
import { widthOf } from './width.ts'
import { columns, wrap, wrapText } from './wrap.ts'

const textOf = (line: Line) => render(line, false)

test('a line wraps at spaces and keeps its indentation', () => {
  expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrapText('  - first second third', 14)).toEqual(['  - first', '    second', '    third'])
})

test('short lines, URLs and code are unchanged', () => {
  const address = 'https://cowrie.example/app/device?code=ABCD-EFGH'
  expect(wrapText(`Open ${address} now`, 20)).toEqual(['Open', address, 'now'])
  expect(wrap('short', 20)).toEqual(['short'])
  const code = [verbatim('const total = amounts.reduce((sum, each) => sum + each, 0n)', 'green')]
  expect(wrap(code, 20)).toEqual([code])
})

test('styles stay with their words', () => {
  const lines = wrap(['plain ', green('green words here')], 12)
  expect(lines.map((line) => render(line, true))).toEqual([
    'plain \x1b[32mgreen\x1b[0m',
    '\x1b[32mwords\x1b[0m \x1b[32mhere\x1b[0m',
  ])
})

test('wrapping keeps all words and respects the width', () => {
  const word = fc.stringMatching(/^[a-z₦漢]{1,9}$/u)
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 20, max: 60 }),
      (words, width) => {
        const lines = wrap(words.join(' '), width).map(textOf)
        expect(lines.join(' ').split(/\s+/)).toEqual(words)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('column values wrap within their column', () => {
  expect(columns([['--long', 'a value of several words']], 32)).toEqual([
    '  --long  a value of several',
    '          words',
  ])
})
