// What is left of an answer when its thinking is taken out.

import { measureCpuMs } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripReasoning } from './json-values.ts'

test.for([
  ['nothing', 'plain', 'plain'],
  ['what stands between tags', 'a<think>b</think>c<reasoning>d</reasoning>e', 'ace'],
  ['tags in any case', 'a<THINK>b</Think>c', 'ac'],
  ['up to the first end', 'a<think>b<think>c</think>d', 'ad'],
  ['up to the end of the same name', 'a<think>b</thinking>c</think>d', 'ad'],
  ['all before an end without a beginning', 'a</think>b</think>c', 'c'],
  ['nothing for a beginning without an end', 'a<think>b', 'a<think>b'],
  ['inside of a beginning without an end', 'a<thinking>b<think>c</think>d', 'a<thinking>bd'],
])('%s goes', ([, text = '', left]) => {
  expect(stripReasoning(text)).toBe(left)
})

test('is the same as what a pattern that tries every beginning would leave', () => {
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
  'a flood of %s takes no time',
  (piece) => {
    const text = piece.repeat(Math.floor(600_000 / piece.length))
    expect(measureCpuMs(() => stripReasoning(text))).toBeLessThan(500)
  },
)
