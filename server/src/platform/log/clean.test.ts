import { expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { clean } from './clean.ts'

test('a secret field is redacted at any depth, and its presence stays visible', () => {
  const shown = clean({
    password: 'hunter2',
    request: {
      headers: new Headers({ authorization: 'abc', accept: '*/*' }),
      body: { mfa: { code: 123456, secret: null } },
    },
    settings: new Map([['upstream_api_key', 'abc']]),
    users: [{ name: 'Ada', token: { value: 'abc' }, cookie: undefined, key: false }],
  })
  expect(shown).toEqual({
    password: '[redacted]',
    request: { headers: { accept: '*/*', authorization: '[redacted]' }, body: { mfa: '[redacted]' } },
    settings: { upstream_api_key: '[redacted]' },
    users: [{ name: 'Ada', token: '[redacted]', cookie: undefined, key: false }],
  })
})

test('an error is logged with type, message, stack and code, without other properties', () => {
  const driverError = Object.assign(new TypeError('duplicate key'), {
    code: '23505',
    parameters: ['hunter2'],
    query: 'insert',
  })
  const { err } = clean({ err: driverError }) as { err: Record<string, unknown> }
  expect(Object.keys(err)).toEqual(['type', 'message', 'stack', 'code'])
  expect(err).toMatchObject({ type: 'TypeError', message: 'duplicate key', code: '23505' })
  expect(err.stack).toContain('clean.test.ts')
  expect(clean({ err: new ApiError('not_found') })).toMatchObject({
    err: { type: 'ApiError', code: 'not_found' },
  })
})

test('a long stack and a chain of causes are limited', () => {
  const error = new Error('x'.repeat(100_000))
  let chained: Error = error
  for (let depth = 0; depth < 50; depth++) chained = new Error('outer', { cause: chained })
  const looping = new Error('loop')
  looping.cause = looping
  for (const each of [error, chained, looping]) {
    const shown = clean({ err: each })
    expect(shown).toHaveProperty('err.message')
    expect(JSON.stringify(shown).length).toBeLessThan(40_000)
  }
})

test('cycles, deep nesting, wide objects and long lists are limited, with a marker', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  let nest: object = {}
  for (let depth = 0; depth < 10_000; depth++) nest = { nest }
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]))
  const list = Array.from({ length: 5_000 }, () => ({ a: [1, 2, 3], b: 'x'.repeat(100) }))
  for (const [value, sign] of [
    [circle, '[too deep]'],
    [nest, '[too deep]'],
    [wide, '[left out]'],
    [list, '[left out]'],
  ] as const) {
    const shown = JSON.stringify(clean({ value }))
    expect(shown).toContain(sign)
    expect(shown.length).toBeLessThan(300_000)
  }
})

test('values that JSON does not support become readable', () => {
  const shown = clean({
    amountMinor: 9_223_372_036_854_775_807n,
    at: new Date('2026-11-15T09:00:00Z'),
    never: new Date(Number.NaN),
    bytes: new Uint8Array(3),
    call: () => 1,
    set: new Set(['a']),
    url: new URL('https://ada:hunter2@example.com/'),
  })
  expect(JSON.parse(JSON.stringify(shown))).toEqual({
    amountMinor: '9223372036854775807',
    at: '2026-11-15T09:00:00.000Z',
    never: 'Invalid Date',
    bytes: '[3 bytes]',
    set: ['a'],
    url: 'https://ada:[redacted]@example.com/',
  })
})

test('an object with a throwing getter is replaced by a message', () => {
  const trap = {
    get boom() {
      throw new Error('do not look: Bearer abcdefgh')
    },
  }
  expect(clean({ trap })).toEqual({ unloggable: 'do not look: Bearer [redacted]' })
})

test('a field cannot overwrite the standard fields or a method of Object', () => {
  const fields = JSON.parse(
    '{"level":"fatal","msg":"lie","time":"never","__proto__":{"a":1},"hasOwnProperty":"x"}',
  )
  const shown = clean(fields)
  expect(Object.keys(shown)).toEqual(['level_', 'msg_', 'time_', '__proto___', 'hasOwnProperty_'])
  expect(Object.getPrototypeOf(shown)).toBe(Object.prototype)
})
