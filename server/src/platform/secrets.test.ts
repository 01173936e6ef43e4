import { describe, expect, test } from 'vitest'
import { createSecrets, secretsEqual, UnsealError } from './secrets.ts'

const secrets = createSecrets('one secret of many bytes, for tests')

describe('a sealed text', () => {
  test('opens in its context and does not reveal the plain text', () => {
    const sealed = secrets.seal('sk_live_canary', 'setting|upstream_api_key')
    expect(secrets.open(sealed, 'setting|upstream_api_key')).toBe('sk_live_canary')
    expect(sealed).not.toContain('canary')
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('canary')
  })

  test('does not open in another context, such as another row', () => {
    const sealed = secrets.seal('text', 'row 1')
    expect(() => secrets.open(sealed, 'row 2')).toThrow(UnsealError)
  })

  test('does not open when a byte was changed', () => {
    const sealed = secrets.seal('some text', 'x')
    for (let i = 0; i < sealed.length; i++) {
      const changed = `${sealed.slice(0, i)}${sealed[i] === 'A' ? 'B' : 'A'}${sealed.slice(i + 1)}`
      // The last base64url character has unused bits. Changing only those does not change the bytes.
      if (
        Buffer.from(changed.split('.')[1] ?? '', 'base64url').equals(
          Buffer.from(sealed.split('.')[1] ?? '', 'base64url'),
        ) &&
        changed.slice(0, 9) === sealed.slice(0, 9)
      )
        continue
      expect(() => secrets.open(changed, 'x')).toThrow(UnsealError)
    }
  })

  test.for(['', '.', 'abc', 'abcdefgh.', `${'a'.repeat(8)}.${'b'.repeat(400)}`])(
    'does not open when it is malformed: %j',
    (text) => {
      expect(() => secrets.open(text, 'x')).toThrow(UnsealError)
    },
  )

  test('is different each time', () => {
    expect(secrets.seal('same', 'x')).not.toBe(secrets.seal('same', 'x'))
  })

  test('opens while its secret is among the previous ones, and not after its removal', () => {
    const sealed = secrets.seal('kept', 'x')
    const rotated = createSecrets('another secret of many bytes, for tests', [
      'one secret of many bytes, for tests',
    ])
    expect(rotated.open(sealed, 'x')).toBe('kept')
    expect(() => createSecrets('another secret of many bytes, for tests').open(sealed, 'x')).toThrow(
      UnsealError,
    )
    expect(() => secrets.open(rotated.seal('new', 'x'), 'x')).toThrow(UnsealError)
  })
})

test('secrets are equal only when all their characters are', () => {
  expect(secretsEqual('abc', 'abc')).toBe(true)
  for (const other of ['', 'ab', 'abcd', 'abC']) expect(secretsEqual(other, 'abc')).toBe(false)
})
