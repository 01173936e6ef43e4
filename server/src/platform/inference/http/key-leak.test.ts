// Our API key in the response of an upstream.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyLeakDetector } from './key-leak.ts'

const KEY = 'sk-aaab-aaac-1234567890'

const isSeen = (key: string, chunks: readonly Buffer[]): boolean => {
  const containsKey = createKeyLeakDetector(key)
  return chunks.map((chunk) => containsKey(chunk)).some(Boolean)
}

test('a key is detected at any position and across chunks', () => {
  const bytes = Buffer.from(`data: {"message":"sk-aaab-sk-aaab-aaa ${KEY} is wrong"}\n\n`)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 20 }), (places) => {
      const cuts = [0, ...places.sort((a, b) => a - b), bytes.length]
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
      expect(isSeen(KEY, chunks)).toBe(true)
    }),
  )
})

test('similar text is not detected', () => {
  expect(
    isSeen(
      KEY,
      ['sk-aaab-', 'aaac-12345', '67891', ' sk-', 'aaab'].map((text) => Buffer.from(text)),
    ),
  ).toBe(false)
})

test('a key that is too short is ignored', () => {
  expect(isSeen('', [Buffer.from('anything')])).toBe(false)
  expect(isSeen('test', [Buffer.from('a test')])).toBe(false)
})
