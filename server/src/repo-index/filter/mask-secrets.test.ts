import { createHash } from 'node:crypto'
import { maskSnippet } from '@cowrie/analysis/report/mask-snippet.ts'
import { examples } from '@cowrie/testkit/analysis/secret-examples.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { markdownChunks } from '../chunking/text-chunks.ts'
import { maskText } from './mask-secrets.ts'

const drawn = (length: number, seed: string) =>
  createHash('sha512')
    .update(seed)
    .digest('base64')
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, length)

test('every secret that a rule reports is masked', () => {
  for (const text of examples.flatMap(({ bad }) => bad))
    expect(maskText(text, true).text, text).toContain('••••••')
})

test.for([
  ['DB=postgres://app:', drawn(14, 'a'), '@db:5432/app'],
  ['DB_PASSWORD=', drawn(18, 'b'), '\n'],
  ['DB_PASSWORD=', 'correcthorse', '\n'],
  ['password: ', drawn(18, 'c'), '\n'],
  ["const password: string = '", `${drawn(12, 'd')}!`, "'"],
  ['Authorization: Bearer ', `eyJhbGciOiJIUzI1NiJ9.${drawn(40, 'e')}.${drawn(43, 'f')}`, '\n'],
  ['Authorization: Basic ', drawn(32, 'g'), '\n'],
  ['aws_secret_access_key = ', drawn(40, 'h'), '\n'],
  ["stripe('", `sk_test_${drawn(24, 'i')}`, "')"],
  ['<password>', 'hunter2abc', '</password>'],
  ['-----BEGIN RSA PRIVATE KEY-----\n', `${drawn(64, 'j')}\n${drawn(64, 'k')}`, '\n(cut)'],
  ['key = "-----BEGIN PRIVATE KEY-----', `\\n${drawn(64, 'l')}`, '-----END PRIVATE KEY-----"'],
  ['send(', drawn(40, 'm'), ')'],
])('in code, the value after %s is masked', ([before = '', secret = '', after = '']) => {
  expect(maskText(before + secret + after, true).text).toBe(before + secret.replace(/\S/g, '•') + after)
})

test.for([
  'const password = user.password',
  'function login(password: string, token: Token) {',
  'password = getPassword2()',
  "type: 'password', tokenType: 'bearer'",
  "invalidPassword: 'Your password is wrong'",
  'const secret = process.env.SECRET_V2',
  'token = oauth2.token, max_tokens: 4096',
  'import { transferBetweenAccountsV2FailsWhenEmpty } from "src/components/v2/of/a/long/path.ts"',
  ['DATABASE_URL=postgres://$', '{user}:$', '{password}@db/app'].join(''),
])('text that only mentions secrets is not masked: %s', (text) => {
  expect(maskText(text, true)).toEqual({ text, secrets: 0 })
})

test('all secrets in a list are masked and counted; data is masked more strictly than code', () => {
  const list = Array.from({ length: 3_000 }, (_, i) => `sk_live_${drawn(30, `${i}`)}0`).join('\n')
  const { text, secrets } = maskText(list, true)
  expect([secrets, text.includes('sk_live_')]).toEqual([3_000, false])
  expect(maskText('password: correcthorse', false).text).toBe('password: ••••••••••••')
})

test('the time is linear in the length of the text', () => {
  const shapes = [
    'a/',
    'token',
    'eyJ',
    'sk-',
    '://a:',
    'api_key.',
    'token : ',
    '-----BEGIN PRIVATE KEY-----\n',
  ]
  const maskAll = () => {
    for (const shape of shapes) {
      const text = shape.repeat(Math.ceil(40_000 / shape.length))
      maskText(text, true)
      maskSnippet(text)
      markdownChunks([`# a${' '.repeat(5_000)}x`, text])
    }
  }
  expect(measureCost(maskAll)).toBeLessThan(3_000)
})
