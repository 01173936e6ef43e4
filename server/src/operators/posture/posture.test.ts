import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rsaKeys } from '@cowrie/testkit/harness/rsa-keys.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { providers } from '../../payments/payments.ts'
import { readConfig } from '../../platform/config.ts'
import type { Feature } from './feature.ts'
import { readPosture } from './posture.ts'

let server: TestServer
let support: Person
beforeAll(async () => {
  server = await startTestServer({
    variables: { SERVICE_ROOT_ADMIN_EMAIL: 'root@example.com', SERVICE_SANDBOX_DOCKER: 'off' },
  })
  support = await server.person({ staff: 'support' })
})
afterAll(() => server.close())

/** The posture of the same service with other environment variables. */
async function under(variables: Record<string, string>): Promise<Map<string, Feature>> {
  const config = readConfig(
    { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off', ...variables },
    '1',
  )
  const { features } = await readPosture({ ...server.app, config })
  return new Map(features.map((feature) => [feature.key, feature]))
}

test('all staff see every feature with label, variables and detail; customers do not', async () => {
  const look = (as: Person) => server.call<{ features: Feature[] }>('GET', '/admin/posture', { as })
  const { status, body } = await look(support)
  expect(status).toBe(200)
  for (const feature of body.features)
    expect(feature).toEqual({
      key: expect.stringMatching(/^[a-z_]+$/),
      label: expect.stringMatching(/\S/),
      env: expect.stringMatching(/^[A-Z_]+(, [A-Z_]+)*$/),
      live: expect.any(Boolean),
      detail: expect.stringMatching(/\.$/),
    })
  expect(new Set(body.features.map(({ key }) => key)).size).toBe(body.features.length)
  expect((await look(await server.person())).body).toMatchObject({ code: 'staff_only' })
})

// Variables that do not enable or disable a feature.
const NO_FEATURES =
  /^(NODE_ENV|PORT|HOST|SERVICE_(ENV|DATA_DIR|DATABASE_POOL|WORKERS|DRAIN_SECONDS|COMMIT|BUILT_AT|LOG_LEVEL|RATE_LIMIT_\w+|UPSTREAM_\w+_MS|UPSTREAM_CONTEXT_TOKENS))$/

test('every variable that controls a feature is listed', async () => {
  const source = readFileSync(join(import.meta.dirname, '../../platform/config.ts'), 'utf8')
  const read = [...source.matchAll(/read(?:Limit|Ranges|Switch|Short)?[.(][^'\n]*'([A-Z][A-Z_]{3,})'/g)]
  const names = new Set(read.map((match) => match[1] ?? ''))
  expect(names.size).toBeGreaterThan(50)
  const listed = new Set([...(await under({})).values()].flatMap(({ env }) => env.split(', ')))
  expect([...names].filter((name) => !NO_FEATURES.test(name) && !listed.has(name))).toEqual([])
  for (const { needs } of providers) for (const name of needs) expect(listed).toContain(name)
})

const CANARY = 'canary-5f1e'
const SECRETS = Object.fromEntries(
  [
    'SERVICE_SECRET',
    'SERVICE_SECRET_PREVIOUS',
    'INTERNAL_SECRET',
    'METRICS_TOKEN',
    'SERVICE_WEBHOOK_TOKEN_MPESA',
    'SERVICE_WEBHOOK_TOKEN_MOMO',
    'SERVICE_SEARCH_API_KEY',
    'SERVICE_GITHUB_APP_ID',
    'SERVICE_GITHUB_PRIVATE_KEY',
    'SERVICE_GITHUB_WEBHOOK_SECRET',
    'SERVICE_SANDBOX_DOCKER_IMAGE',
    'SERVICE_SELLER_NAME',
    'SERVICE_SELLER_ADDRESS',
    'SERVICE_SELLER_TAX_ID',
    'SERVICE_FETCH_ALLOW',
    'SERVICE_COMMIT',
    'SERVICE_DATA_DIR',
    ...providers.flatMap(({ needs }) => needs),
    'EVAT_TAXPAYER',
    'EVAT_SECURITY_KEY',
    'EVAT_USER',
  ].map((name) => [name, `${CANARY}-${name.toLowerCase()}-0123456789`]),
)
const address = (protocol: string) => `${protocol}://${CANARY}:${CANARY}@${CANARY}.internal:1234/${CANARY}`
const ADDRESSES = {
  DATABASE_URL: address('postgres'),
  SERVICE_DEDICATED_DATABASE_URL: address('postgres'),
  REDIS_URL: address('redis'),
  SERVICE_BASE_URL: `https://${CANARY}.example`,
  SERVICE_SMTP_URL: address('smtp'),
  SERVICE_STORAGE_URL: address('s3'),
  SERVICE_SEARCH_BASE_URL: address('https'),
  SERVICE_GITHUB_API_URL: address('https'),
  EVAT_BASE_URL: address('https'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('https'),
  DOCKER_HOST: address('tcp'),
  SERVICE_CHROMIUM: `/opt/${CANARY}/chromium`,
  SERVICE_MAIL_FROM: `${CANARY} <${CANARY}@example.com>`,
  SERVICE_ROOT_ADMIN_EMAIL: `${CANARY}@example.com`,
  SERVICE_LEADS_EMAIL: `${CANARY}@example.com`,
}

const keyPair = () => {
  const { privateKey, publicKey } = rsaKeys()
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

function everything(): Record<string, string> {
  const [ours, theirs] = [keyPair(), keyPair()]
  return {
    ...SECRETS,
    ...ADDRESSES,
    SERVICE_SEARCH_PROVIDER: 'tavily',
    SERVICE_DEV_AUTH: 'on',
    SERVICE_ENABLE_PR_VALIDATION: '1',
    SERVICE_STAFF_SECOND_FACTOR: 'on',
    TRUST_PROXY: '1',
    MOMO_TARGET_ENVIRONMENT: 'sandbox',
    SERVICE_SELLER_COUNTRY: 'GH',
    PALMPAY_PRIVATE_KEY: ours.privateKey,
    PALMPAY_PUBLIC_KEY: theirs.publicKey,
  }
}

test('with a canary in every variable, all features are live and the reply contains no canary', async () => {
  const variables = everything()
  const posture = await under(variables)
  const off = [...posture.values()].filter(({ live }) => !live).map(({ key }) => key)
  // Models are settings, the sandboxes are disabled above, and no account has the canary address.
  expect(off.sort()).toEqual(
    [
      'inference',
      'frontier_model',
      'residency_model',
      'sandbox_local',
      'sandbox_docker',
      'root_admin',
    ].sort(),
  )
  const text = JSON.stringify([...posture])
  expect(text.toLowerCase()).not.toContain(CANARY)
  for (const value of [variables.PALMPAY_PRIVATE_KEY, variables.PALMPAY_PUBLIC_KEY])
    expect(text).not.toContain(value?.split('\n')[1])
})

test('without variables only features with defaults are live', async () => {
  const on = [...(await under({})).values()].filter(({ live }) => live).map(({ key }) => key)
  expect(on.sort()).toEqual(['database', 'dns', 'retrieval', 'storage'])
})

test('a rail with test keys is live, except in production', async () => {
  const keys = { PAYSTACK_SECRET_KEY: 'sk_test_0123456789abcdef0123456789abcdef' }
  expect((await under(keys)).get('rail_paystack')).toMatchObject({ live: true })
  const production = {
    SERVICE_ENV: 'production',
    SERVICE_SECRET: 'a secret for this test, long enough',
    SERVICE_BASE_URL: 'https://cowrie.example',
    SERVICE_SMTP_URL: 'smtp://mail.example',
    SERVICE_MAIL_FROM: 'Cowrie <no-reply@cowrie.example>',
  }
  expect((await under({ ...keys, ...production })).get('rail_paystack')).toMatchObject({ live: false })
  expect((await under(production)).get('rail_ozow')).toMatchObject({
    detail: expect.stringContaining('not offered'),
  })
})

test('models are live when an upstream and a model are set', async () => {
  const set = async (key: string, value: string) => {
    const setting = server.app.settings.find(key)
    if (!setting) throw new Error(`${key} is a setting`)
    await server.app.db.tx('platform', (tx) => server.app.settings.set(tx, setting, value, support))
    await server.app.settings.refresh()
    const posture = await under({})
    return ['inference', 'frontier_model', 'residency_model'].map((name) => posture.get(name)?.live)
  }
  expect(await set('upstream_frontier_model', CANARY)).toEqual([false, false, false])
  expect(await set('upstream_base_url', `https://${CANARY}.example/v1`)).toEqual([false, true, false])
  expect(await set('upstream_open_model', CANARY)).toEqual([true, true, false])
  await set('upstream_api_key', CANARY)
  expect(await set('upstream_open_noprc_model', CANARY)).toEqual([true, true, true])
  expect(JSON.stringify([...(await under({}))])).not.toContain(CANARY)
})

test('the root administrator is live once the account is verified', async () => {
  const root = async () =>
    (await readPosture(server.app)).features.find(({ key }) => key === 'root_admin')?.live
  expect(await root()).toBe(false)
  await server.person({ email: 'root@example.com' })
  expect(await root()).toBe(true)
})
