import { describe, expect, test } from 'vitest'
import { normaliseEmail } from '../../identity/identity.ts'
import { email } from './shapes.ts'

describe('an email address', () => {
  test.for([
    'ada@example.com',
    'Ada.Lovelace+work@Example.co.ke',
    'ada@bücher.example',
    `${'a'.repeat(240)}@example.com`,
  ])('%s is one', (address) => {
    expect(email.safeParse(address).success).toBe(true)
    expect(normaliseEmail(address).length).toBeLessThanOrEqual(254)
  })

  test.for([
    ['without a host', 'ada'],
    ['of two hosts', 'ada@example.com@example.org'],
    ['with a line break', 'ada@example.com\r\nBcc: eve@example.com'],
    ['with a character that turns the reading round', 'ada\u202e@example.com'],
    ['with a dot at its end', 'ada@example.com.'],
    ['with a dot before its host', 'ada@.example.com'],
    ['with two dots', 'ada@example..com'],
    ['that grows beyond what can be kept when it is written small', `${'İ'.repeat(240)}@example.com`],
    ['whose other form has another host', 'ada@exam＠ple.com'],
  ])('%s is none', ([, address]) => {
    expect(email.safeParse(address).success).toBe(false)
  })
})
