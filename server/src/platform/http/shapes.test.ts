import { describe, expect, test } from 'vitest'
import { normaliseEmail } from '../../kernel/email.ts'
import { email } from './shapes.ts'

describe('an email address', () => {
  test.for([
    'ada@example.com',
    'Ada.Lovelace+work@Example.co.ke',
    'ada@bücher.example',
    `${'a'.repeat(240)}@example.com`,
  ])('%s is valid', (address) => {
    expect(email.safeParse(address).success).toBe(true)
    expect(normaliseEmail(address).length).toBeLessThanOrEqual(254)
  })

  test.for([
    ['fullwidth letters', 'ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['other dots', 'ada@bücher。example', 'ada@xn--bcher-kva.example'],
    ['a ligature', 'oﬃce@example.com', 'office@example.com'],
    ['capitals in an international domain', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['a punycode domain', 'ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ] as const)('written with %s is the same address', ([, written, address]) => {
    expect(normaliseEmail(written)).toBe(address)
  })

  test.for([
    ['without a host', 'ada'],
    ['with two hosts', 'ada@example.com@example.org'],
    ['with a line break', 'ada@example.com\r\nBcc: eve@example.com'],
    ['with a bidirectional control character', 'ada\u202e@example.com'],
    ['with a trailing dot', 'ada@example.com.'],
    ['with a dot before its host', 'ada@.example.com'],
    ['with two dots', 'ada@example..com'],
    ['that is too long in lower case', `${'İ'.repeat(240)}@example.com`],
    ['with a letter of another script', 'аda@example.com'],
    ['with a dotless i', 'adaı@example.com'],
    ['whose normalised form has another host', 'ada@exam＠ple.com'],
  ])('%s is invalid', ([, address]) => {
    expect(email.safeParse(address).success).toBe(false)
  })
})
