import { SAMPLES } from '@cowrie/testkit/sandbox/report-samples.ts'
import { expect, test } from 'vitest'
import { condenseOutput } from './condense.ts'
import { readTestReport } from './test-report.ts'

const shorten = (output: string) => condenseOutput(output, readTestReport(output, 1))
const LIMIT = 6 << 10

test('short output is shown whole, without colours and without absolute paths', () => {
  const output = '\x1b[31mred\x1b[0m at file:///project/src/a.ts:3 and (/project/b.ts:4)\r\nend\n'
  expect(shorten(output)).toBe('red at src/a.ts:3 and (b.ts:4)\nend')
})

test('long output is shortened to its beginning, failures and end, within 6 KiB', () => {
  const noise = (name: string) => Array.from({ length: 3_000 }, (_, i) => `${name} ${i}`).join('\n')
  const output = `first line\n${noise('before')}\n${SAMPLES['node:test spec']}\n${noise('after')}\nlast line`
  const short = shorten(output)
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(LIMIT)
  expect(short.startsWith('first line\nbefore 0\n')).toBe(true)
  expect(short.endsWith('after 2999\nlast line')).toBe(true)
  expect(short).toContain('✖ subtracts (a.test.js:2)\n  AssertionError [ERR_ASSERTION]: 1 == 2')
})

test('a repeated line is shown once with its count', () => {
  expect(shorten(`start\n${'waiting\n'.repeat(5_000)}\n\nend`)).toBe('start\nwaiting (×5000)\n\nend')
})

test('a progress bar is shown in its last state', () => {
  expect(shorten('10 %\r50 %\r100 %\ndone')).toBe('100 %\ndone')
})

test.for<[name: string, text: string, secret: string]>([
  ['a token', `Authorization: Bearer ${'abcdef123456'.repeat(3)}`, 'abcdef123456'],
  ['a key of a provider', `key sk_live_${'q1w2e3r4'.repeat(3)}`, 'q1w2e3r4'],
  [
    'a private key',
    `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADAN\n'.repeat(9)}-----END PRIVATE KEY-----`,
    'MIIEvQ',
  ],
])('%s is not shown, at any position', ([, text, secret]) => {
  const noise = 'noise\n\n'.repeat(200)
  for (const output of [text, `${text}\n${noise}`, `${noise}${text}`, `${noise}${text}\n${noise}`])
    expect(shorten(output)).not.toContain(secret)
})

test('a private key whose beginning is cut off is not shown either', () => {
  const key = Array.from({ length: 400 }, (_, i) => `MIIE${i}`).join('\n')
  expect(shorten(`x\n${'y\n'.repeat(60)}-----BEGIN RSA PRIVATE KEY-----\n${key}`)).not.toContain('MIIE')
})

test('the result never exceeds 6 KiB', () => {
  const outputs = [
    '€'.repeat(1 << 19),
    'é\n'.repeat(1 << 18),
    `${'x'.repeat(900)}\n`.repeat(1_000),
    '\0'.repeat(10_000),
    'sk-aaaaaaa '.repeat(50_000),
  ]
  for (const output of outputs) expect(Buffer.byteLength(shorten(output))).toBeLessThanOrEqual(LIMIT)
})
