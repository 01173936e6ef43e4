import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { BoundedOutput } from './bounded-output.ts'

const keep = (bytesMax: number, ...chunks: string[]) => {
  const kept = new BoundedOutput(bytesMax)
  for (const chunk of chunks) kept.add(Buffer.from(chunk))
  return kept
}

test('output within the limit is unchanged, for any chunks', () => {
  expect(keep(10, 'abc', '', 'defghij').text()).toBe('abcdefghij')
  expect(keep(10).text()).toBe('')
})

test('a character that was split between chunks is joined', () => {
  const kept = new BoundedOutput(8)
  for (const byte of Buffer.from('ab€d')) kept.add(Buffer.of(byte))
  expect(kept.text()).toBe('ab€d')
})

test.for([
  ['one piece', ['0123456789abcdef']],
  ['many pieces', [...'0123456789abcdef']],
  ['uneven pieces', ['0', '123456', '789abcd', 'e', 'f']],
] as const)('of longer output, the first and the last half are kept: %s', ([, chunks]) => {
  const kept = keep(8, ...chunks)
  expect(kept.text()).toBe('0123\n… 8 bytes left out …\ncdef')
  expect(kept.totalBytes).toBe(16)
})

test('a flood of single bytes is processed in linear time, with the correct end', () => {
  let kept = new BoundedOutput()
  const single = Buffer.from('x')
  const flood = () => {
    kept = new BoundedOutput()
    kept.add(Buffer.alloc(524_288, 'a'))
    for (let i = 0; i < 200_000; i++) kept.add(single)
    for (let i = 0; i < 8; i++) kept.add(Buffer.alloc(65_536, 'z'))
  }
  expect(measureCost(flood)).toBeLessThan(1_000)
  const [first, said, last] = kept.text().split('\n')
  expect(first).toBe('a'.repeat(524_288))
  expect(said).toBe('… 200000 bytes left out …')
  expect(last).toBe('z'.repeat(524_288))
})

test('the ring buffer is read in order from any position', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (let length = 9; length <= 26; length++)
    for (const size of [1, 2, 3, 5, 7]) {
      const text = letters.slice(0, length)
      const kept = keep(8, ...(text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []))
      expect(kept.text()).toBe(`abcd\n… ${length - 8} bytes left out …\n${text.slice(-4)}`)
    }
})
