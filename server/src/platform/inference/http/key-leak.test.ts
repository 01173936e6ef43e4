// The key of an upstream in what comes back from it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyLeakDetector } from './key-leak.ts'

const KEY = 'sk-aaab-aaac-1234567890'

const isSeen = (key: string, chunks: readonly Buffer[]): boolean => {
  const isLeak = createKeyLeakDetector(key)
  return chunks.map((chunk) => isLeak(chunk)).some(Boolean)
}

test('a key is seen wherever it stands and however it is cut up', () => {
  const bytes = Buffer.from(`data: {"message":"sk-aaab-sk-aaab-aaa ${KEY} is wrong"}\n\n`)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 20 }), (places) => {
      const cuts = [0, ...places.sort((a, b) => a - b), bytes.length]
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
      expect(isSeen(KEY, chunks)).toBe(true)
    }),
  )
})

test('what only looks like it is let through', () => {
  expect(
    isSeen(
      KEY,
      ['sk-aaab-', 'aaac-12345', '67891', ' sk-', 'aaab'].map((text) => Buffer.from(text)),
    ),
  ).toBe(false)
})

test('a key too short to be one is not looked for', () => {
  expect(isSeen('', [Buffer.from('anything')])).toBe(false)
  expect(isSeen('test', [Buffer.from('a test')])).toBe(false)
})
