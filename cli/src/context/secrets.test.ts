import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findSecrets } from './secrets.ts'

// Drawn here and now, so that no file of the repository holds anything that looks like a secret.
const hex = (length: number) => createHash('sha512').update('a').digest('hex').slice(0, length)
const mixed = (length: number) =>
  createHash('sha512')
    .update('b')
    .digest('base64')
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, length)
const base32 = (length: number) =>
  [...createHash('sha512').update('aws').digest()]
    .map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32])
    .join('')
    .slice(0, length)
const join = (...parts: string[]) => parts.join('')
const kindsIn = (content: string) => findSecrets([{ path: 'a', content }]).map(({ kind }) => kind)

describe('a secret', () => {
  test.for([
    ['payment key', `key = '${join('sk_live_', hex(40))}'`],
    ['payment key', `PAYSTACK=${join('sk_test_', hex(40))}`],
    ['payment key', `'${join('FLWSECK-', hex(32), '-X')}'`],
    ['payment key', `stripe('${join('rk_live_', mixed(32))}')`],
    ['Africa’s Talking key', `'${join('atsk_', hex(64))}'`],
    ['AWS access key', `id = ${join('AKIA', base32(16))}`],
    ['Google API key', `'${join('AIza', mixed(35))}'`],
    ['GitHub token', `https://x:${join('ghp_', mixed(36))}@github.com/a/b`],
    ['token of a service', `//r/:_authToken=${join('npm_', mixed(36))}`],
    ['token of a service', `COWRIE_API_KEY=${join('csk_', mixed(8), '_', mixed(40))}`],
    [
      'private key',
      join('-----BEGIN RSA ', 'PRIVATE KEY-----\n', mixed(80), '\n', hex(80), '\n-----END RSA'),
    ],
    ['password in an address', `postgres://app:${mixed(16)}@db.prod.acme.io/app`],
    ['something that looks like a secret', `const jwtSecret = '${mixed(40)}'`],
    ['something that looks like a secret', `DB_PASSWORD=${mixed(30)}`],
  ] as const)('of the kind "%s" is found', ([kind, text]) => {
    expect(kindsIn(text)).toEqual([kind])
  })

  test.for([
    `key = '${join('sk_live_', '0'.repeat(40))}'`,
    `key = 'sk_live_your_key_goes_here_please_now'`,
    `const key = process.env.PAYSTACK_SECRET_KEY`,
    `postgres://postgres:postgres@localhost:5432/app`,
    `mysql://user:password@example.com/db`,
    `const passwordHash = '${hex(64)}'`,
    `secret: process.env.SECRET_OF_THE_SERVICE_1`,
    `const tokenId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'`,
    `const apiKeyPath = 'config/keys/production/api.key.json'`,
    `-----BEGIN PUBLIC KEY-----\n${mixed(80)}\n${hex(80)}\n-----END`,
    `npm_config_cache_folder_of_this_machine`,
    `"integrity": "sha512-${mixed(60)}=="`,
  ])('is not seen in %s', (text) => {
    expect(kindsIn(text)).toEqual([])
  })

  test('is told by file and line, in their order, and never shown', () => {
    const key = join('sk_live_', hex(40))
    const found = findSecrets([
      { path: 'a.ts', content: `\n\nx = '${key}'\ny = '${key}'` },
      { path: 'b.ts', content: key },
    ])
    expect(found.map(({ path, line }) => [path, line])).toEqual([
      ['a.ts', 3],
      ['a.ts', 4],
      ['b.ts', 1],
    ])
    expect(JSON.stringify(found)).not.toContain(hex(8))
  })

  test('in a text of a million letters is looked for in little time', () => {
    const text = `${'token = "'.repeat(20_000)}${'a1'.repeat(400_000)}`
    const startMs = performance.now()
    findSecrets([{ path: 'a', content: text }])
    expect(performance.now() - startMs).toBeLessThan(15_000)
  })
})
