import { expect, test } from 'vitest'
import { cleanMetadata } from './metadata.ts'

test('plain facts stay as they are, money exact', () => {
  const metadata = {
    from: 'member',
    to: 'admin',
    amountMinor: 9007199254740993n,
    at: new Date(0),
    list: [1, null, true],
  }
  expect(cleanMetadata(metadata)).toEqual({ ...metadata, at: '1970-01-01T00:00:00.000Z' })
})

test('secrets are masked by the name of their field at any depth, and by their look in any text', () => {
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

test('what cannot be stored is made storable', () => {
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

test('a field named __proto__ is a field', () => {
  const cleaned = cleanMetadata(JSON.parse('{"__proto__": {"role": "owner"}}'))
  expect(Object.keys(cleaned)).toEqual(['__proto__'])
  expect('role' in cleaned).toBe(false)
})

test('beyond 8 KiB only the names remain', () => {
  const cleaned = cleanMetadata({ reason: 'é'.repeat(5_000), target: 'x' })
  expect(cleaned).toMatchObject({ tooLarge: true, names: ['reason', 'target'] })
  expect(cleanMetadata({ reason: 'e'.repeat(5_000) })).toHaveProperty('reason')
})

test('what nests too deep is cut', () => {
  let deep: object = { end: true }
  for (let level = 0; level < 50; level++) deep = { deep }
  expect(JSON.stringify(cleanMetadata(deep))).toContain('[too deep]')
})
