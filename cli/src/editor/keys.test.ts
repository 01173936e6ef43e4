import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyDecoder, type Key, PASTE_CHARACTERS_MAX } from './keys.ts'

const read = (...chunks: (string | Uint8Array)[]): Key[] => {
  const decoder = createKeyDecoder()
  return [...chunks.flatMap((chunk) => decoder.take(Buffer.from(chunk as string))), ...decoder.flush()]
}
const named = (...chunks: (string | Uint8Array)[]) =>
  read(...chunks).map((key) => (key.kind === 'key' ? key.name : `${key.kind}:${key.text}`))

test.for([
  ['\r', 'enter'],
  ['\n', 'newline'],
  ['\x1b\r', 'newline'],
  ['\x1b[13;2u', 'newline'],
  ['\x1b[27;2;13~', 'newline'],
  ['\x1b[A', 'up'],
  ['\x1bOA', 'up'],
  ['\x1b[1;5D', 'word-left'],
  ['\x1b[1;3C', 'word-right'],
  ['\x1bb', 'word-left'],
  ['\x1bf', 'word-right'],
  ['\x1bd', 'word-delete'],
  ['\x1b\x7f', 'word-backspace'],
  ['\x1b[3~', 'delete'],
  ['\x1b[H', 'home'],
  ['\x1b[4~', 'end'],
  ['\x1b[Z', 'shift-tab'],
  ['\x7f', 'backspace'],
  ['\x01', 'ctrl-a'],
  ['\x1f', 'ctrl-_'],
  ['\x03', 'ctrl-c'],
  ['\x1b', 'escape'],
  ['\x1b[97;5u', 'ctrl-a'],
])('%j is the key %s', ([bytes = '', name]) => expect(named(bytes)).toEqual([name]))

test('a key may be split over any reads', () => {
  for (const sequence of ['\x1b[1;5D', '\x1b[A', '\x1b[13;2u'])
    expect(named(...sequence.split(''))).toEqual(named(sequence))
})

test('a character may be split over reads', () => {
  const bytes = Buffer.from('é漢👍🏽مرحبا')
  const keys = read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))
  expect(keys.map((key) => (key.kind === 'text' ? key.text : '?')).join('')).toBe('é漢👍🏽مرحبا')
})

test('a paste is one key, also if its marks are split, and its codes do nothing', () => {
  const text = 'line 1\r\nline 2\n\x1b[31m\x03'
  const pasted = { kind: 'paste', text: 'line 1\nline 2\n\x1b[31m\x03', isCut: false }
  const bytes = `a\x1b[200~${text}\x1b[201~b`
  expect(read(bytes)).toEqual([{ kind: 'text', text: 'a' }, pasted, { kind: 'text', text: 'b' }])
  expect(read(...bytes.split(''))).toEqual([{ kind: 'text', text: 'a' }, pasted, { kind: 'text', text: 'b' }])
})

test('a huge paste is cut and marked as cut', () => {
  const [key, after] = read(
    '\x1b[200~',
    ...Array.from({ length: 40 }, () => 'x'.repeat(64 * 1024)),
    '\x1b[201~',
    'y',
  )
  expect(key).toMatchObject({ kind: 'paste', isCut: true })
  expect(key?.kind === 'paste' && key.text.length).toBe(PASTE_CHARACTERS_MAX)
  expect(after).toEqual({ kind: 'text', text: 'y' })
})

test('lines that arrive in one read without marks are a paste, and a last Enter still sends', () => {
  expect(named('What is\rthis?\r')).toEqual(['paste:What is\nthis?', 'enter'])
  expect(named('hello\r')).toEqual(['text:hello', 'enter'])
  expect(named('hello\r', '\r')).toEqual(['text:hello', 'enter', 'enter'])
  expect(named(`${'x'.repeat(4_000)}\r`)).toEqual([`paste:${'x'.repeat(4_000)}\n`])
})

test('replies of the terminal and unknown sequences are no keys', () => {
  expect(named('\x1b[?62;22c', '\x1b[24;80R', '\x1b[I', '\x1b[200;1;1;1zz')).toEqual(['text:z'])
})

test('any bytes give keys without control characters in typed text, however they are split', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 12 }), (chunks) => {
      for (const key of read(...chunks))
        if (key.kind === 'text') expect(key.text).toMatch(/^[^\x00-\x1f\x7f-\x9f]+$/)
    }),
    { numRuns: rounds(166, 5_000) },
  )
})

test('a sequence that never ends does not fill the memory', () => {
  const decoder = createKeyDecoder()
  let keys = 0
  for (let round = 0; round < 1_000; round++)
    keys += decoder.take(Buffer.from(`${round === 0 ? '\x1b[' : ''}1;1;1;1;`)).length
  expect(keys).toBeGreaterThan(0)
})
