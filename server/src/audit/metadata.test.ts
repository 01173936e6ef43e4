import { expect, test } from 'vitest'
import { cleanMetadata } from './metadata.ts'

test('plain values stay unchanged, and money is exact', () => {
  const metadata = {
    from: 'member',
    to: 'admin',
    amountMinor: 9007199254740993n,
    at: new Date(0),
    list: [1, null, true],
  }
  expect(cleanMetadata(metadata)).toEqual({ ...metadata, at: '1970-01-01T00:00:00.000Z' })
})

test('secrets are masked by field name at any depth, and by pattern in texts', () => {
  const cleaned = cleanMetadata({
    password: 'hunter2-canary',
    nested: [{ apiKey: 'canary', enrolled: true, totp: false }],
    note: 'used csk_abc123_canarycanarycanary today',
  })
  expect(JSON.stringify(cleaned)).not.toContain('canary')
  expect(cleaned).toMatchObject({
    password: '[redacted]',
    nested: [{ apiKey: '[redacted]', enrolled: true, totp: false }],
  })
})

test('values that cannot be stored are replaced', () => {
  expect(
    cleanMetadata({ a: 'x\u0000y', b: '\ud800', c: Number.NaN, d: undefined, e: () => 1, '\u0000': 1 }),
  ).toEqual({
    a: 'x\ufffdy',
    b: '\ufffd',
    c: null,
    e: null,
    '\ufffd': 1,
  })
})

test('a field named __proto__ is an ordinary field', () => {
  const cleaned = cleanMetadata(JSON.parse('{"__proto__": {"role": "owner"}}'))
  expect(Object.keys(cleaned)).toEqual(['__proto__'])
  expect('role' in cleaned).toBe(false)
})

test('beyond 8 KiB only the field names remain', () => {
  const cleaned = cleanMetadata({ reason: 'é'.repeat(5_000), target: 'x' })
  expect(cleaned).toMatchObject({ tooLarge: true, names: ['reason', 'target'] })
  expect(cleanMetadata({ reason: 'e'.repeat(5_000) })).toHaveProperty('reason')
})

test('deep nesting is cut', () => {
  let deep: object = { end: true }
  for (let level = 0; level < 50; level++) deep = { deep }
  expect(JSON.stringify(cleanMetadata(deep))).toContain('[too deep]')
})
