// Examples of secrets, and of values that only look like secrets.
import { createHash } from 'node:crypto'

// Drawn here and now, so that no file of the repository holds anything that looks like a secret.
export const hex = (length: number, seed = 'a') =>
  createHash('sha512').update(seed).digest('hex').slice(0, length)
export const mixed = (length: number, seed = 'b') =>
  createHash('sha512')
    .update(seed)
    .digest('base64')
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, length)
export const join = (...parts: string[]) => parts.join('')
const base32 = (length: number) =>
  [...createHash('sha512').update('aws').digest()]
    .map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32])
    .join('')
    .slice(0, length)
export const pemBody = () => `${mixed(64, 'x')}\n${mixed(64, 'y')}\n${mixed(64, 'z')}\n`
export const pem = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----\n`

const EXAMPLES: Record<string, { bad: string[]; good: string[] }> = {
  'SEC-PAYSTACK-LIVE': {
    bad: [
      `const key = '${join('sk_live_', hex(40))}'`,
      `PAYSTACK_SECRET_KEY=${join('sk_live_', hex(40, 'c'))}`,
      `headers: { Authorization: "Bearer ${join('sk_live_', hex(40, 'd'))}" }`,
    ],
    good: [
      `const key = '${join('sk_live_', '0'.repeat(40))}'`,
      `const key = '${join('sk_live_', 'x'.repeat(40))}'`,
      `const key = process.env.PAYSTACK_SECRET_KEY // sk_live_…`,
      `if (key.startsWith('sk_live_')) warn()`,
    ],
  },
  'SEC-PAYSTACK-TEST': {
    bad: [
      `const key = process.env.KEY || '${join('sk_test_', hex(40))}'`,
      `key: "${join('sk_test_', hex(40, 'e'))}"`,
      `$key = '${join('sk_test_', hex(40, 'f'))}';`,
    ],
    good: [
      `key: '${join('sk_test_', 'deadbeef'.repeat(5))}'`,
      `key: 'sk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'`,
      `key: 'pk_test_${hex(40)}'`,
    ],
  },
  'SEC-FLW-LIVE': {
    bad: [
      `'${join('FLWSECK-', hex(32), '-X')}'`,
      `FLW_KEY=${join('FLWSECK-', hex(32, 'g'), '-X')}`,
      `key = "${join('FLWSECK-', hex(32, 'h'), '-', hex(11), '-X')}"`,
    ],
    good: [
      `'${join('FLWSECK-', 'x'.repeat(32), '-X')}'`,
      `'${join('FLWPUBK-', hex(32), '-X')}'`,
      `const prefix = 'FLWSECK-'`,
    ],
  },
  'SEC-FLW-TEST': {
    bad: [
      `'${join('FLWSECK_TEST-', hex(32), '-X')}'`,
      `'${join('FLWSECK_TEST-', hex(12))}'`,
      `secret: "${join('FLWSECK_TEST-', hex(32, 'i'), '-X')}"`,
    ],
    good: [
      `'${join('FLWSECK_TEST-', 'X'.repeat(32), '-X')}'`,
      `'${join('FLWPUBK_TEST-', hex(32), '-X')}'`,
      `if (key.startsWith('FLWSECK_TEST-')) return`,
    ],
  },
  'SEC-STRIPE': {
    bad: [
      `stripe('${join('sk_live_', mixed(32))}')`,
      `KEY=${join('rk_live_', mixed(30, 'j'))}`,
      `apiKey: "${join('sk_live_', mixed(60, 'k'))}"`,
    ],
    good: [
      `stripe('${join('sk_test_', mixed(24))}')`,
      `stripe('${join('pk_live_', mixed(24))}')`,
      `stripe('sk_live_your_key_goes_here_please')`,
    ],
  },
  'SEC-NG-GW': {
    bad: [
      `MONNIFY_SECRET_KEY = "${mixed(32)}"`,
      `const config = { INTERSWITCH_CLIENT_SECRET: '${mixed(40, 'l')}' }`,
      `define('REMITA_API_KEY', ''); $REMITA_API_KEY = '${mixed(24, 'm')}';`,
    ],
    good: [
      `MONNIFY_SECRET_KEY = process.env['MONNIFY_SECRET_KEY']`,
      `MONO_SECRET_KEY: 'your_mono_secret_key_1'`,
      `SQUAD_API_URL = 'https://sandbox-api-d.squadco.com'`,
      `const MONO_API_SECRET = '\${secrets.mono}'`,
    ],
  },
  'SEC-AFRICASTALKING': {
    bad: ['a', 'b', 'c'].map((seed) => `apiKey: '${join('atsk_', hex(64, seed))}'`),
    good: [`'atsk_'`, `'${join('atsk_', '0'.repeat(64))}'`, `'${join('atsk_', hex(10))}'`],
  },
  'SEC-AWS': {
    bad: [
      `aws_access_key_id = ${join('AKIA', base32(16))}`,
      `new S3({ accessKeyId: '${join('AKIA', base32(16))}' })`,
      `AccessKeyId: "${join('ASIA', base32(16))}"`,
    ],
    good: [
      `aws_access_key_id = ${join('AKIAIOSFODNN7', 'EXAMPLE')}`,
      `const shape = /AKIA[A-Z2-7]{16}/`,
      `ASIANPACIFICREGIONNAMES`,
    ],
  },
  'SEC-GCP': {
    bad: ['n', 'o', 'p'].map((seed) => `key: '${join('AIza', mixed(35, seed))}'`),
    good: [`'AIza${'x'.repeat(35)}'`, `'AIza'`, `url + '?key=' + process.env.GOOGLE_KEY`],
  },
  'SEC-GITHUB': {
    bad: [
      `token: '${join('ghp_', mixed(36))}'`,
      `https://x:${join('ghs_', mixed(36, 'q'))}@github.com/a/b.git`,
      `GITHUB_TOKEN=${join('github_pat_', mixed(22), '_', mixed(59, 'r'))}`,
    ],
    good: [`'ghp_${'x'.repeat(36)}'`, `/ghp_[A-Za-z0-9]{36}/`, `process.env.GITHUB_TOKEN ?? 'ghp_…'`],
  },
  'SEC-TOKEN': {
    bad: [
      `'${join('glpat-', mixed(20))}'`,
      `//r/:_authToken=${join('npm_', mixed(36, 's'))}`,
      `'${join('SG.', mixed(22), '.', mixed(43, 't'))}'`,
      `'${join('xoxb-', '7291834650', '-', mixed(24, 'u'))}'`,
    ],
    good: [
      `'glpat-xxxxxxxxxxxxxxxxxxxx'`,
      `npm_config_cache_folder_of_this_machine`,
      `'sk-your-key-goes-here-please-ok'`,
    ],
  },
  'SEC-AZURE': {
    bad: ['v', 'w', 'x'].map((seed) => `AccountKey=${`${mixed(86, seed)}${hex(86, seed)}`.slice(0, 86)}==;`),
    good: [
      `AccountKey=${'A'.repeat(86)}==;`,
      `AccountKey=\${KEY};`,
      `AccountKey=${join('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq', '/K1SZFPTOtr/KBHBeksoGMGw==')};`,
    ],
  },
  'SEC-PEM': {
    bad: ['RSA PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY'].map((kind) => pem(kind, pemBody())),
    good: [
      pem('PUBLIC KEY', pemBody()),
      pem('RSA PRIVATE KEY', '...\n'),
      `if (text.startsWith('-----BEGIN PRIVATE KEY-----')) load(text)`,
    ],
  },
  'SEC-DBURL': {
    bad: [
      `postgres://app:${mixed(16)}@db.prod.acme.io/app`,
      `mongodb+srv://api:${mixed(12)}@cluster0.abcde.mongodb.net`,
      `redis://default:${mixed(20)}@cache.acme.io:6379`,
    ],
    good: [
      `postgres://postgres:postgres@localhost:5432/app`,
      `postgres://\${user}:\${password}@db.acme.io/app`,
      `mysql://user:password@example.com/db`,
      `postgres://app:secret123@db:5432/app`,
    ],
  },
  'SEC-GENERIC': {
    bad: [
      `const jwtSecret = '${mixed(40)}'`,
      `"client_secret": "${mixed(32, 'y')}"`,
      `api_key = '${mixed(40, 'z')}'`,
    ],
    good: [
      `const token = 'csrf-token-header-name-of-app1'`,
      `const passwordHash = '${hex(64)}'`,
      `secret: process.env.SECRET`,
      `const tokenId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'`,
      `const apiKeyPath = 'config/keys/production/api.key.json'`,
    ],
  },
}

export const examples: readonly { rule: string; bad: readonly string[]; good: readonly string[] }[] =
  Object.entries(EXAMPLES).map(([rule, { bad, good }]) => ({
    rule,
    bad,
    good,
  }))
