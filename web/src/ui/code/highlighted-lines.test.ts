import { expect, test } from 'vitest'
import { highlightedLines } from './highlighted-lines.ts'

test('a multi-line comment is highlighted in each line, and no line is lost', () => {
  const lines = ['/* a', '', 'b */ let x = 1', '']
  const shaded = highlightedLines(lines, 'src/a.ts')
  expect(shaded?.map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual(lines)
  expect(shaded?.[2]?.[0]).toEqual({ shade: 'comment', text: 'b */' })
})

test('a file in an unknown language stays plain', () => {
  expect(highlightedLines(['x'], 'README')).toBeNull()
})
