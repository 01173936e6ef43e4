// Removing reasoning from an answer.

import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripReasoning } from './json-values.ts'

test.for([
  ['nothing', 'plain', 'plain'],
  ['content between tags', 'a<think>b</think>c<reasoning>d</reasoning>e', 'ace'],
  ['tags in any case', 'a<THINK>b</Think>c', 'ac'],
  ['text up to the first end tag', 'a<think>b<think>c</think>d', 'ad'],
  ['text up to the end tag of the same name', 'a<think>b</thinking>c</think>d', 'ad'],
  ['everything before an end tag without a start tag', 'a</think>b</think>c', 'c'],
  ['nothing for a start tag without an end tag', 'a<think>b', 'a<think>b'],
  ['content inside an unclosed start tag', 'a<thinking>b<think>c</think>d', 'a<thinking>bd'],
])('removes %s', ([, text = '', left]) => {
  expect(stripReasoning(text)).toBe(left)
})

test('gives the same result as a pattern that tries every start tag', () => {
  const byPattern = (text: string): string => {
    const closed = text.replaceAll(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, '')
    const lone = [...closed.matchAll(/<\/(think|thinking|reasoning)>/gi)].at(-1)
    return lone ? closed.slice(lone.index + lone[0].length) : closed
  }
  const piece = fc.constantFrom(
    ...['<think>', '</think>', '<thinking>', '</thinking>', '<reasoning>', '</Reasoning>', '<THINK>'],
    ...['<', '</', 'think', 'ing', '>', 'a', '\n'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      expect(stripReasoning(pieces.join(''))).toBe(byPattern(pieces.join('')))
    }),
    { numRuns: rounds(500, 3_000) },
  )
})

test.for(['<think>', '</think>', '<think></thinking>', '<think><reasoning></think>', '<', '<think'])(
  'processes a flood of %s quickly',
  (piece) => {
    const text = piece.repeat(Math.floor(600_000 / piece.length))
    expect(measureCost(() => stripReasoning(text))).toBeLessThan(500)
  },
)
