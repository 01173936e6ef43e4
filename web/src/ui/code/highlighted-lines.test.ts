import { expect, test } from 'vitest'
import { highlightedLines } from './highlighted-lines.ts'

test('a comment over several lines is a comment in each of them, and no line is lost', () => {
  const lines = ['/* a', '', 'b */ let x = 1', '']
  const shaded = highlightedLines(lines, 'src/a.ts')
  expect(shaded?.map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual(lines)
  expect(shaded?.[2]?.[0]).toEqual({ shade: 'comment', text: 'b */' })
})

test('a file of a language that nobody knows stays plain', () => {
  expect(highlightedLines(['x'], 'README')).toBeNull()
})
