import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './environment/environment.ts'

const VALID = {
  SERVICE_ENV: 'production',
  SERVICE_SECRET: 'k3Jx9vQ2mZ7pL4wT8rY1nB6cF5hG0dSa',
  SERVICE_BASE_URL: 'https://cowrie.example',
  SERVICE_SMTP_URL: 'smtp://mail.example:587',
  SERVICE_MAIL_FROM: 'Cowrie <hello@cowrie.example>',
}
const read = (variables: Record<string, string>) => readConfig(variables, '0.4.0')
function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    read(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('in development', () => {
  test('nothing needs to be set', () => {
    expect(read({})).toMatchObject({
      environment: 'development',
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080',
      databaseUrl: null,
      devAuth: false,
      retrieval: 'vector',
      rateLimits: {
        auth: { requests: 20, seconds: 60 },
        money: { requests: 60, seconds: 60 },
        webhook: { requests: 600, seconds: 60 },
        global: { requests: 1200, seconds: 60 },
      },
    })
  })

  test('an empty variable counts as unset', () => {
    expect(read({ PORT: '', DATABASE_URL: '', SERVICE_SECRET: ' ' })).toMatchObject({
      port: 8080,
      databaseUrl: null,
      secret: null,
    })
  })
})

describe('in production', () => {
  test('a valid configuration is accepted and listens on all interfaces', () => {
    expect(read(VALID)).toMatchObject({
      environment: 'production',
      host: '0.0.0.0',
      sandbox: { local: false, docker: false },
    })
  })

  test('two mobile-money rails must not share the webhook token that identifies the sender', () => {
    const shared = { SERVICE_WEBHOOK_TOKEN_MPESA: 'x'.repeat(32), SERVICE_WEBHOOK_TOKEN_MOMO: 'x'.repeat(32) }
    expect(() => read({ ...VALID, ...shared })).toThrow(/SERVICE_WEBHOOK_TOKEN_MOMO/)
  })

  test('NODE_ENV=production overrides SERVICE_ENV', () => {
    expect(read({ ...VALID, SERVICE_ENV: 'development', NODE_ENV: 'production' }).environment).toBe(
      'production',
    )
  })

  test('every missing or weak variable is reported at once, without values', () => {
    const problems = problemsOf({
      SERVICE_ENV: 'production',
      SERVICE_SECRET: 'hunter2hunter2',
      SERVICE_BASE_URL: 'http://cowrie.example',
      METRICS_TOKEN: 'short',
      TRUST_PROXY: 'true',
      SERVICE_RATE_LIMIT_AUTH: 'many',
      PORT: '99999',
    })
    for (const name of [
      'SERVICE_SECRET',
      'SERVICE_BASE_URL',
      'SERVICE_SMTP_URL',
      'SERVICE_MAIL_FROM',
      'METRICS_TOKEN',
      'TRUST_PROXY',
      'SERVICE_RATE_LIMIT_AUTH',
      'PORT',
    ])
      expect(
        problems.filter((problem) => problem.startsWith(`${name} `)),
        name,
      ).toHaveLength(1)
    expect(problems.join()).not.toMatch(/hunter2|short|99999|many/)
  })

  test.for([
    ['a short secret', { SERVICE_SECRET: 'a'.repeat(31) }],
    ['a share of traces above 1', { OTEL_TRACES_SAMPLER_ARG: '2' }],
    ['a share of traces that is no number', { OTEL_TRACES_SAMPLER_ARG: 'all' }],
    ['a secret of one repeated character', { SERVICE_SECRET: 'a'.repeat(64) }],
    ['no secret', { SERVICE_SECRET: '' }],
    ['a repeated secret', { SERVICE_SECRET: 'k3Jx9vQ2'.repeat(8) }],
    ['a sequence', { SERVICE_SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789' }],
    ['a row of hexadecimal digits', { SERVICE_SECRET: '0123456789abcdef'.repeat(4) }],
    ['keyboard rows', { SERVICE_SECRET: 'qwertyuiopasdfghjklzxcvbnm1234567890' }],
    ['a placeholder', { SERVICE_SECRET: 'changeme-k3Jx9vQ2mZ7pL4wT8rY1nB6cF5hG0dSa' }],
    ['another placeholder', { SERVICE_SECRET: 'your-production-secret-k3Jx9vQ2mZ7pL4wT8rY1nB6c' }],
    ['a patterned metrics token', { METRICS_TOKEN: '12345678901234567890' }],
    ['a weak internal secret', { INTERNAL_SECRET: 'secret' }],
    ['a weak webhook token', { SERVICE_WEBHOOK_TOKEN_MPESA: 'token' }],
  ] as [string, Record<string, string>][])('%s is rejected', ([, variables]) => {
    expect(problemsOf({ ...VALID, ...variables })).toHaveLength(1)
  })

  test('random secrets in hex, base64 and base64url are accepted', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      for (let i = 0; i < 200; i++) {
        const variables = {
          SERVICE_SECRET: randomBytes(32).toString(encoding),
          METRICS_TOKEN: randomBytes(16).toString(encoding),
        }
        expect(problemsOf({ ...VALID, ...variables }), JSON.stringify(variables)).toEqual([])
      }
  })

  test('development-only variables are ignored with a warning', () => {
    const config = read({ ...VALID, SERVICE_DEV_AUTH: 'on', SERVICE_FETCH_ALLOW: '127.0.0.1:80' })
    expect(config).toMatchObject({ devAuth: false, fetchAllow: [] })
    expect(config.warnings.join()).toMatch(/SERVICE_DEV_AUTH.*SERVICE_FETCH_ALLOW/)
  })
})

describe('an invalid value', () => {
  test.for([
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['SERVICE_ENV', 'prod'],
    ['DATABASE_URL', 'mysql://x'],
    ['SERVICE_DEDICATED_DATABASE_URL', 'postgres://{org}@host/cowrie'],
    ['SERVICE_DEDICATED_DATABASE_URL', 'postgres://host/cowrie_{org}?application_name={org}'],
    ['REDIS_URL', 'localhost'],
    ['SERVICE_BASE_URL', 'cowrie.example'],
    ['SERVICE_BASE_URL', 'https://ada:secret@cowrie.example'],
    ['SERVICE_BASE_URL', 'https://cowrie.example/app'],
    ['SERVICE_BASE_URL', 'https://cowrie.example/?a=b'],
    ['SERVICE_BASE_URL', 'https://cowrie.example/#top'],
    ['SERVICE_BASE_URL', 'https://one.example,two.example'],
    ['SERVICE_ROOT_ADMIN_EMAIL', 'root'],
    ['SERVICE_ROOT_ADMIN_EMAIL', 'root@cowrie..example'],
    ['SERVICE_ROOT_ADMIN_EMAIL', 'Root <root@cowrie.example>'],
    ['SERVICE_ROOT_ADMIN_EMAIL', 'a@cowrie.example, b@cowrie.example'],
    ['SERVICE_LEADS_EMAIL', 'leads'],
    ['SERVICE_MAIL_FROM', 'Cowrie'],
    ['SERVICE_MAIL_FROM', 'Cowrie <no-reply>'],
    ['SERVICE_MAIL_FROM', 'Cowrie no-reply@cowrie.example'],
    ['SERVICE_DNS_SERVER', 'dns.example'],
    ['SERVICE_DNS_SERVER', '9.9.9.9:99999'],
    ['SERVICE_DNS_SERVER', '9.9.9.300'],
    ['SERVICE_RATE_LIMIT_AUTH', '10/0'],
    ['SERVICE_RATE_LIMIT_AUTH', '10/100000'],
    ['SERVICE_STORAGE_URL', 'ftp://x'],
    ['SERVICE_RETRIEVAL', 'magic'],
    ['SERVICE_RATE_LIMIT_GLOBAL', '0/60'],
    ['SERVICE_WEBHOOK_IPS_CARD', 'not an address'],
    ['SERVICE_SANDBOX_LOCAL', 'yes'],
    ['SERVICE_SANDBOX_REGISTRIES', 'bower=https://registry.example'],
    ['SERVICE_SANDBOX_REGISTRIES', 'https://user:password@registry.example'],
    ['SERVICE_SANDBOX_REGISTRIES', 'registry.example/path'],
    ['SERVICE_SEARCH_PROVIDER', 'altavista'],
    ['PAYSTACK_BASE_URL', 'paystack'],
    ['TRUST_PROXY', '*'],
    ['SERVICE_SELLER_TAX_ID', 'x'.repeat(51)],
  ])('of %s (%s) is reported with the name of the variable', ([name = '', value = '']) => {
    expect(
      problemsOf({
        [name]: value,
        ...(name === 'SERVICE_SEARCH_PROVIDER' ? { SERVICE_SEARCH_API_KEY: 'x' } : {}),
      })[0],
    ).toMatch(new RegExp(`^${name} `))
  })

  test.for([
    ['SERVICE_MAIL_FROM', 'no-reply@cowrie.example'],
    ['SERVICE_MAIL_FROM', '"Cowrie, Inc." <no-reply@cowrie.example>'],
    ['SERVICE_DNS_SERVER', '127.0.0.1:5353'],
    ['SERVICE_DNS_SERVER', '2620:fe::fe'],
    ['SERVICE_DNS_SERVER', '[2620:fe::fe]:53'],
    ['SERVICE_RATE_LIMIT_AUTH', '10000000/60'],
    ['SERVICE_BASE_URL', 'http://localhost:8080/'],
  ])('%s=%s is valid', ([name = '', value = '']) => {
    expect(problemsOf({ [name]: value })).toEqual([])
  })

  test('a rate limit out of range is reported with the range', () => {
    expect(problemsOf({ SERVICE_RATE_LIMIT_AUTH: '10000000000/60' })).toEqual([
      'SERVICE_RATE_LIMIT_AUTH must allow from 1 to 1000000000 requests, for example 1200/60.',
    ])
  })

  test('a GitHub app needs its key and its webhook secret', () => {
    expect(problemsOf({ SERVICE_GITHUB_APP_ID: '1' })).toHaveLength(2)
  })
})

test('the variables of payment rails are collected by prefix', () => {
  expect(read({ PAYSTACK_SECRET_KEY: 'sk_test_x', MOMO_API_KEY: 'y', HOME: '/x' }).rails).toEqual({
    PAYSTACK_SECRET_KEY: 'sk_test_x',
    MOMO_API_KEY: 'y',
  })
})

test('the default seller is Cowrie', () => {
  expect(read({}).seller).toEqual({ name: 'Cowrie', address: null, taxId: null })
  expect(read({ SERVICE_SELLER_NAME: 'Cowrie Ltd', SERVICE_SELLER_ADDRESS: '1 Marina' }).seller).toEqual({
    name: 'Cowrie Ltd',
    address: '1 Marina',
    taxId: null,
  })
})
