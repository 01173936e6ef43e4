import { describe, expect, test } from 'vitest'
import { count, flag, milliseconds, oneOf, secret, settings, text, url } from './setting.ts'

const accepts = (type: { read(value: unknown): { ok: boolean } }, value: unknown) => type.read(value).ok

describe('a number', () => {
  const lease = count({ min: 10, max: 3_600 })
  test.for([10, 60, 3_600])('may be %j', (value) => expect(accepts(lease, value)).toBe(true))
  test.for([
    9,
    3_601,
    10.5,
    '60',
    true,
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [60],
    { valueOf: 60 },
    -60,
    60n,
  ])('may not be %s', (value) => expect(accepts(lease, value)).toBe(false))
  test('reports its limits and its unit', () => {
    expect(lease.read(0)).toEqual({ ok: false, mustBe: 'a whole number from 10 to 3600' })
    expect(milliseconds({ min: 1, max: 2 }).read(0)).toEqual({
      ok: false,
      mustBe: 'a whole number from 1 to 2 milliseconds',
    })
  })
})

describe('a choice', () => {
  const mode = oneOf({
    open: { label: 'Open', note: 'cheap' },
    frontier: { label: 'Frontier', note: 'dear' },
  })
  test('accepts only its options', () => {
    expect(accepts(mode, 'frontier')).toBe(true)
    for (const value of ['Open', 'constructor', '__proto__', '', 1, null, ['open']])
      expect(accepts(mode, value)).toBe(false)
  })
  test('reports its options', () =>
    expect(mode.read('x')).toEqual({ ok: false, mustBe: 'one of open, frontier' }))
})

describe('a flag', () => {
  test('accepts only true and false', () => {
    expect(accepts(flag(), false)).toBe(true)
    for (const value of ['true', 1, 0, null]) expect(accepts(flag(), value)).toBe(false)
  })
  test.for([
    ['true', true],
    ['ON', true],
    ['1', true],
    ['false', false],
    ['off', false],
    ['0', false],
  ] as const)('converts %s of a variable', ([word, value]) => expect(flag().fromText(word)).toBe(value))
})

describe('a name', () => {
  test.for(['', 'qwen3-coder:30b', 'org/model@2026', 'модель'])('may be %j', (value) =>
    expect(accepts(text(), value)).toBe(true),
  )
  test.for([' x', 'x\r\nX-Evil: 1', 'x\u0000', 'x\u202e', 'x'.repeat(201), 7, null])(
    'may not be %j',
    (value) => expect(accepts(text(), value)).toBe(false),
  )
})

describe('an address', () => {
  test.for([
    '',
    'https://models.example.com/v1',
    'http://127.0.0.1:8000/v1',
    'http://localhost:11434',
    'http://10.1.2.3/v1',
    'http://[::1]:8080',
    'https://x.example.com/openai?api-version=1',
  ])('may be %j', (value) => expect(accepts(url(), value)).toBe(true))

  test.for([
    'example.com',
    '/v1',
    'ftp://example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'https://user:pass@example.com',
    'https://key@example.com',
    'https://example.com/a b',
    'https://example.com/\r\nX-Evil: 1',
    'https:\\\\example.com',
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    `https://example.com/${'x'.repeat(2_000)}`,
    17,
    null,
  ])('may not be %j', (value) => expect(accepts(url(), value)).toBe(false))
})

describe('a secret', () => {
  const key = secret({ sentTo: 'address' })
  test('is visible ASCII, so that it fits in a header', () => {
    expect(accepts(key, 'sk-abc_123')).toBe(true)
    expect(accepts(key, '')).toBe(true)
    for (const value of ['a b', 'a\r\nb', 'é', 'x'.repeat(4_097), 5, null])
      expect(accepts(key, value)).toBe(false)
  })
  test('cannot be a mask', () => expect(accepts(key, '••••1234')).toBe(false))
})

test('a default that its type rejects is a bug', () => {
  const declare = () =>
    settings(
      'g',
      { label: 'G', blurb: '' },
      { a_key: { label: 'A', description: '', type: count({ min: 1, max: 2 }), default: 3 } },
    )
  expect(declare).toThrow('the default of a_key')
})
