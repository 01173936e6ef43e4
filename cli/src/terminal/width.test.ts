import { expect, test } from 'vitest'
import { graphemesOf } from './graphemes.ts'
import { visible, visiblePath } from './visible.ts'
import { isSimple, widthOf } from './width.ts'

test('simple text is visible, takes one column for each character, and is divided as Unicode does', () => {
  const codes = Array.from({ length: 0x11_0000 }, (_, code) => code)
  const simple = codes.map((code) => String.fromCodePoint(code)).filter(isSimple)
  for (const character of ['a', '₦', '·', '…', '—', '’', '↑', '✓']) expect(simple).toContain(character)
  const text = simple.join('')
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  expect(Array.from(segmenter.segment(text), ({ segment }) => segment)).toEqual(simple)
  expect(graphemesOf(`${text}\n${text}`)).toEqual([...simple, '\n', ...simple])
  // Except the space.
  expect(text.slice(1)).not.toMatch(/[\p{C}\p{M}\p{Z}\p{Emoji_Presentation}\p{Script=Han}]/u)
  expect([visible(text), visiblePath(text)]).toEqual([text, text])
  expect(widthOf(text)).toBe(simple.length)
})
