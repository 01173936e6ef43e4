import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { FORMAT_IDS, planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { describe, expect, test } from 'vitest'
import { findSecrets, isSecretFile, SECRET_PATTERNS, secretLines } from './secrets.ts'

const EACH_FORMAT = rounds(2, 25)
/** Quadratic time is many times more than the limit at both lengths. */
const TEXT_LENGTH = rounds(30_000, 100_000)
const ROOT = join(import.meta.dirname, '../..')

/** File types with a line that contains the text. Formats that need a whole line get one. */
const AROUND: readonly (readonly [kind: string, write: (text: string) => string])[] = [
  ['a separate line', (text) => `a\n${text}\nb\n`],
  ['TypeScript', (text) => `export const x = 1\n// see ${text}\n`],
  ['JSON', (text) => `{"a": ${JSON.stringify(text)}}\n`],
  ['YAML', (text) => `a:\n  - b\n${text}\n`],
  ['Windows line breaks', (text) => `a\r\n${text}\r\nb`],
  ['Markdown', (text) => `Use \`${text}\` here.\n`],
  ['shell', (text) => `curl -H "x: ${text}" https://api.shop.io\n`],
  ['a diff', (text) => `@@ -1 +1 @@\n-a\n+${text}\n`],
  ['a log', (text) => `2026-01-01T00:00:00Z info sent ${text}\n`],
  ['the end of a file', (text) => `a\n${text}`],
]
const ON_ITS_LINE = /^(named-line|named-password)$/
const lineKinds = new Set(['a separate line', 'YAML', 'Windows line breaks', 'the end of a file'])

describe('a planted secret', () => {
  test('of every format in the table is generated', () => {
    expect([...FORMAT_IDS].sort()).toEqual(SECRET_PATTERNS.map(({ id }) => id).sort())
    expect(FORMAT_IDS.length).toBeGreaterThanOrEqual(49)
  })

  test.for(FORMAT_IDS)('%s is found whole in every file type', (id) => {
    for (let number = 0; number < EACH_FORMAT; number++) {
      const { text, secret } = planted(id, number)
      for (const [kind, write] of AROUND) {
        if (ON_ITS_LINE.test(id) && !lineKinds.has(kind)) continue
        // JSON escapes inner quotes, so the text is no assignment there.
        if (kind === 'JSON' && text.includes('"')) continue
        const file = write(text)
        const hidden = findSecrets(file).map(({ start, end }) => file.slice(start, end))
        const written = kind === 'JSON' ? JSON.stringify(secret).slice(1, -1) : secret
        expect(
          hidden.some((each) => each.includes(written.trim())),
          `${kind} ${number}`,
        ).toBe(true)
      }
    }
  })

  test('is reported by line and kind, never by value', () => {
    const { secret } = planted('paystack-live')
    const found = secretLines(`\n\nx = '${secret}'\ny = '${secret}'\n${planted('github').text}`)
    expect(found).toEqual([
      { line: 3, reason: 'Paystack live secret key' },
      { line: 4, reason: 'Paystack live secret key' },
      { line: 5, reason: 'GitHub token' },
    ])
  })

  test('is found among thousands each time', () => {
    const list = Array.from({ length: 3_000 }, (_, number) => planted('stripe-live', number).text)
    expect(findSecrets(list.join('\n'))).toHaveLength(3_000)
  })
})

describe('no secret is reported', () => {
  test.for([
    `key = 'sk_test_${'x'.repeat(40)}'`,
    `key = 'sk_live_${'0'.repeat(40)}'`,
    `aws_access_key_id = AKIAIOSFODNN7${'EXAMPLE'}`,
    'const key = process.env.PAYSTACK_SECRET_KEY',
    'postgres://postgres:postgres@localhost:5432/app',
    'mysql://user:password@example.com/db',
    'secret: process.env.SECRET_OF_THE_SERVICE_1',
    `const tokenId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'`,
    `const apiKeyPath = 'config/keys/production/api.key.json'`,
    'npm_config_cache_folder_of_this_machine',
    `const passwordHash = '${planted('named-hex').secret}'`,
    `"integrity": "sha512-${planted('azure-storage').secret}"`,
    `commit ${planted('named-hex').secret.slice(0, 40)}`,
    'image: docker://alpine:3.18.4@sha256:abc',
    'PASSWORD_MIN_LENGTH=12',
    'DB_PASSWORD=changeme',
    `DB_PASSWORD=$\{DB_PASSWORD}`,
  ])('in %s', (text) => {
    expect(findSecrets(text).map(({ pattern }) => pattern.id)).toEqual([])
  })

  test('in the sources, lockfiles and documents of this repository, except for a few test values', () => {
    const found: string[] = []
    let files = 0
    for (const path of filesBelow(ROOT)) {
      const text = readFileSync(path, 'utf8')
      if (text.includes('\0')) continue
      files += 1
      for (const { line, reason } of secretLines(text))
        found.push(`${relative(ROOT, path)}:${line} ${reason}`)
    }
    expect(files).toBeGreaterThan(1_000)
    expect(found.filter((each) => !/\.(test|fixture)\.tsx?:|\/test\//.test(each))).toEqual([])
    expect(found.length, found.join('\n')).toBeLessThan(25)
  })

  test('in minified code with long lines', () => {
    const folder = join(ROOT, 'node_modules/axe-core')
    for (const name of ['axe.min.js', 'axe.js'])
      expect(secretLines(readFileSync(join(folder, name), 'utf8'))).toEqual([])
  })
})

test.for([
  ['a/.env', true],
  ['.env.production', true],
  ['prod.env', true],
  ['.ENV', true],
  ['.envrc', true],
  ['keys/server.pem', true],
  ['.ssh/config', true],
  ['.npmrc', true],
  ['service-account-prod.json', true],
  ['infra/terraform.tfvars', true],
  ['.env.example', false],
  ['.env.sample', false],
  ['src/env.ts', false],
  ['environment.ts', false],
  ['src/key.ts', false],
  ['secrets.ts', false],
  ['docs/keys.md', false],
] as const)('%s is a file that holds secrets: %s', ([path, isSecret]) => {
  expect(isSecretFile(path)).toBe(isSecret)
})

test('searching any text takes linear time', () => {
  const pieces = [
    ...[
      'a',
      'a.',
      'a-',
      'a_',
      'A1',
      '0f',
      '=',
      ' ',
      '\t',
      '"',
      '://a:',
      'token',
      'token = "',
      'secret:',
      'key=',
    ],
    ...[
      'sk-',
      'sk_live_',
      'eyJ',
      'eyJa.',
      'M'.repeat(26),
      'SECRET_',
      'PASSWORD=',
      'DARAJA_API_',
      'twilio',
      ':AA',
    ],
    ...[
      `-----BEGIN ${'PRIVATE'} KEY-----\n`,
      `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMII`,
      'AccountKey=',
      'Q~',
      '?password=',
    ],
    ...SECRET_PATTERNS.flatMap(({ words }) => words),
  ]
  for (const piece of new Set(pieces)) {
    const text = `${piece.repeat(Math.ceil(TEXT_LENGTH / piece.length))}\n`
    expect(
      measureCost(() => findSecrets(text)),
      piece,
    ).toBeLessThan(TEXT_LENGTH / 200)
  }
})

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (/^(node_modules|dist|\.git|\.data|\.cache|coverage)$/.test(entry.name)) continue
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
    else if (entry.isFile()) yield join(folder, entry.name)
  }
}
