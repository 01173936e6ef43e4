import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { clean } from './clean.ts'
import { isSecretName, redactText } from './redact.ts'

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEcanary01\nAQAB\n-----END RSA PRIVATE KEY-----'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkwMiJ9.canary02signature'

// Each secret with the part that must not remain.
export const canaries: readonly { secret: string; canary: string }[] = [
  { secret: pem, canary: 'canary01' },
  { secret: jwt, canary: 'canary02' },
  { secret: 'csk_canary03AAAAAAAAAAAAAAAA', canary: 'canary03' },
  { secret: 'sk_live_canary04AAAAAAAA', canary: 'canary04' },
  { secret: 'sk_test_canary05AAAAAAAA', canary: 'canary05' },
  { secret: 'sk-or-v1-canary06AAAAAAAA', canary: 'canary06' },
  { secret: 'Authorization: Bearer canary07.AAAA', canary: 'canary07' },
  { secret: 'authorization: basic Y2FuYXJ5MDg6aHVudGVyMg==', canary: 'Y2FuYXJ5MDg' },
  { secret: 'Cookie: a=b; service_session=canary09; c=d', canary: 'canary09' },
  { secret: 'ghp_canary10AAAAAAAAAAAAAAAAAAAA', canary: 'canary10' },
  { secret: 'ghs_canary11AAAAAAAAAAAAAAAAAAAA', canary: 'canary11' },
  { secret: 'github_pat_canary12_AAAAAAAAAAAA', canary: 'canary12' },
  { secret: 'xoxb-canary13-AAAAAAAA', canary: 'canary13' },
  { secret: 'AKIACANARY14AAAAAAAA', canary: 'CANARY14' },
  { secret: 'postgres://cowrie:canary15@db.internal:5432/cowrie', canary: 'canary15' },
  { secret: 'smtps://mailer%40x:can@ary/16:x@mail.internal', canary: 'ary/16' },
  { secret: 'https://app.example/auth/verify?token=canary17&next=/', canary: 'canary17' },
  { secret: '{"apiKey": "canary18", "model": "x"}', canary: 'canary18' },
  { secret: '{\\"password\\":\\"canary19\\"}', canary: 'canary19' },
  { secret: 'https://app.example/callback?state=1&code=canary20', canary: 'canary20' },
  { secret: 'FLWSECK_TEST-canary21AAAA', canary: 'canary21' },
  { secret: 'POST /v1beta/models/x:countTokens?alt=sse&key=canary22', canary: 'canary22' },
  { secret: '{"code": "190022"}', canary: '190022' },
]

describe.for(canaries)('the secret of $canary', ({ secret, canary }) => {
  test('is redacted in a text', () => {
    for (const text of [secret, `before ${secret} after`, `["${secret}"]`, `x=${secret}\n at file.ts:1`])
      expect(redactText(text)).not.toContain(canary)
  })

  test('is redacted in an error, its causes and a nested field', () => {
    const error = new AggregateError([new Error(secret)], secret, { cause: new Error(`because ${secret}`) })
    const shown = JSON.stringify(clean({ err: error, deep: { list: [{ note: secret, [secret]: 1 }] } }))
    expect(shown).not.toContain(canary)
  })

  test('is redacted in a long text that is cut inside the secret', () => {
    for (let cut = 1; cut < secret.length; cut++) {
      const text = `${'word '.repeat(4000).slice(0, 16_384 - cut - 1)} ${secret} ${'tail '.repeat(500)}`
      const shown = redactText(text)
      expect(shown).not.toContain(canary)
      expect(shown.length).toBeLessThan(16_500)
    }
  })
})

test('texts without secrets are unchanged', () => {
  const plain = [
    'listening on http://127.0.0.1:8080',
    'https://docs.example/errors#insufficient_funds',
    'Unexpected token < in JSON at position 0',
    'exit code=1, status_code=404',
    '{"code":"insufficient_funds","tokens":1200}',
    'Basic plan, bearer of news',
    'task-based risk-free desk-lamp',
    'a key decision about the code',
    'Zażółć gęślą jaźń 🙂 ₦1,500.50',
  ]
  for (const text of plain) expect(redactText(text)).toBe(text)
})

test('redacting twice changes nothing', () => {
  for (const { secret } of canaries) expect(redactText(redactText(secret))).toBe(redactText(secret))
})

test('field names are recognised in every spelling', () => {
  const secret =
    'password newPassword secret client_secret token access_token authorization Cookie Set-Cookie apiKey api-key key code challenge recoveryCodes signature upstream_api_key X-API-Key privateKey SERVICE_SECRET METRICS_TOKEN'
  for (const name of secret.split(' ')) expect(isSecretName(name), name).toBe(true)
  const open = 'tokens promptTokens monkey status route codec keyboard errorCode author challengeCount id'
  for (const name of open.split(' ')) expect(isSecretName(name), name).toBe(false)
})

test('characters that move the cursor or break lines are escaped', () => {
  expect(redactText('a\u009b31mb\u2028c\u202ed')).toBe('a\\u009b31mb\\u2028c\\u202ed')
})

test('a hostile text costs little', () => {
  const pieces = [
    'a-',
    '://a:',
    'bearer ',
    'token=',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    '_eyJ',
    'key":"',
    'sk-',
    '\u2028',
    'key" ',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(
      measureCost(() => redactText(text)),
      piece,
    ).toBeLessThan(300)
  }
})
