import { expect, test } from 'vitest'
import { KeptOutput } from './kept-output.ts'

const keep = (bytesMax: number, ...chunks: string[]) => {
  const kept = new KeptOutput(bytesMax)
  for (const chunk of chunks) kept.add(Buffer.from(chunk))
  return kept
}

test('what fits is kept as it is, in whatever pieces it came', () => {
  expect(keep(10, 'abc', '', 'defghij').text()).toBe('abcdefghij')
  expect(keep(10).text()).toBe('')
})

test('a character that came in two pieces is whole again', () => {
  const kept = new KeptOutput(8)
  for (const byte of Buffer.from('ab€d')) kept.add(Buffer.of(byte))
  expect(kept.text()).toBe('ab€d')
})

test.for([
  ['one piece', ['0123456789abcdef']],
  ['many pieces', [...'0123456789abcdef']],
  ['uneven pieces', ['0', '123456', '789abcd', 'e', 'f']],
] as const)('of more, the first and the last half are kept: %s', ([, chunks]) => {
  const kept = keep(8, ...chunks)
  expect(kept.text()).toBe('0123\n… 8 bytes left out …\ncdef')
  expect(kept.totalBytes).toBe(16)
})
