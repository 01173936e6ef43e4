// The rail of each channel, startup checks, and the webhook URLs of providers.

import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { customer, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type ChannelName, channelNames } from '../channels.ts'
import { routeOf } from '../routing/route.ts'
import { railOfToken, webhookUrl } from '../settle/webhooks/webhook-url.ts'
import { accountsOf, findAccount, providers, railProblems } from './accounts.ts'

const SECRET = 'a secret that only tests know, long enough'
const PRODUCTION = {
  SERVICE_ENV: 'production',
  SERVICE_BASE_URL: 'https://cowrie.test',
  SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
  SERVICE_MAIL_FROM: 'a@cowrie.test',
}

let server: TestServer
let production: TestServer

beforeAll(async () => {
  server = await startTestServer({
    variables: {
      PAYSTACK_SECRET_KEY: 'sk_test_1',
      PAYSTACK_SECRET_KEY_KE: 'sk_test_2',
      SERVICE_WEBHOOK_TOKEN_MPESA: 'chosen by the operator',
    },
  })
  production = await startTestServer({
    url: server.url,
    clock: server.clock,
    variables: { ...PRODUCTION, PAYSTACK_SECRET_KEY: 'sk_test_1', FLUTTERWAVE_SECRET_KEY: '' },
  })
})
afterAll(async () => {
  await production.close()
  await server.close()
})

const accountFor = (channel: ChannelName, currency: Currency, app: App = server.app) =>
  findAccount(app, { channel, currency })

describe('a channel', () => {
  test('is live with the keys of its provider and a mock without', () => {
    expect(accountFor('card', 'NGN')).toMatchObject({ mode: 'live', rail: { name: 'paystack' } })
    expect(accountFor('ussd', 'NGN')).toMatchObject({ mode: 'live' })
    expect(accountFor('mtn_momo', 'UGX')).toMatchObject({ mode: 'mock', rail: { name: 'mock' } })
  })

  test('is live with the keys of another provider that serves it', () => {
    expect(accountFor('mpesa', 'KES')).toMatchObject({
      mode: 'live',
      rail: { name: 'paystack', account: 'KE' },
    })
  })

  test('is always served by the same rail', () => {
    expect(accountFor('card', 'NGN')?.rail).toBe(accountFor('ussd', 'NGN')?.rail)
    expect(accountsOf(server.app, 'daraja')).toEqual([])
  })

  test.for(channelNames)('%s has no mock in production', async (channel) => {
    await expect(routeOf(production.app, { channel, currency: 'NGN' })).rejects.toMatchObject({
      code: 'payments_not_configured',
    })
    expect(accountsOf(production.app, 'mock')).toEqual([])
  })

  test('without keys in production is refused with 503 and not listed', async () => {
    const person = await customer(server)
    const key = await server.key(person, [])
    expect(await topUp(production, key, { amountMinor: 5000n })).toMatchObject({
      status: 503,
      body: { code: 'payments_not_configured' },
    })
    const { body } = await production.call('GET', '/wallet/channels', { as: key })
    expect(body).toEqual({ channels: [], currency: 'NGN' })
    const { count } = await server.sql.one<{ count: bigint }>`
      select count(*) as count from payments where org_id = ${person.orgId}`
    expect(count).toBe(0n)
  })

  test('has no mock page in production', async () => {
    const person = await customer(server, 'UGX')
    const input = { amountMinor: 10_000n, channel: 'mtn_momo', phone: '0772123456' }
    const { reference } = (await topUp(server, person, input)).body
    expect((await server.call('GET', `/pay/mock/${reference}`)).status).toBe(200)
    expect((await production.call('GET', `/pay/mock/${reference}`)).status).toBe(404)
  })

  test('is listed with limits, step and mode, channels for any phone first', async () => {
    const person = await customer(server, 'KES')
    const { body } = await server.call('GET', '/wallet/channels', { as: person })
    expect(body).toEqual({
      currency: 'KES',
      channels: [
        channel('mpesa', 'M-Pesa', 'live', true, [300n, 25_000_000n, 100n]),
        channel('card', 'Card', 'live', false, [300n, 100_000_000n, 1n]),
        channel('flutterwave', 'Flutterwave', 'mock', false, [1000n, 100_000_000n, 1n]),
      ],
    })
  })
})

const channel = (
  name: string,
  label: string,
  mode: string,
  needsPhone: boolean,
  [minMinor, maxMinor, stepMinor]: [bigint, bigint, bigint],
) => ({ channel: name, label, mode, needsPhone, minMinor, maxMinor, stepMinor })

describe('a partly configured rail', () => {
  test('prevents startup, and the error names every missing variable', async () => {
    const start = startTestServer({
      url: server.url,
      variables: { DARAJA_SHORTCODE: '174379', MOMO_API_USER: 'somebody', PAYSTACK_SECRET_KEY: 'pk_live_1' },
    })
    await expect(start).rejects.toThrow(
      /PAYSTACK_SECRET_KEY is a public key[\s\S]*DARAJA_CONSUMER_KEY is not set[\s\S]*MOMO_/,
    )
  })

  test.for(providers.filter(({ needs }) => needs.length > 1))(
    '$name names the missing variables',
    ({ needs }) => {
      const [first = '', ...others] = needs
      const problems = railProblems({ [first]: 'a value' })
      for (const name of others) expect(problems.join(' ')).toContain(name)
    },
  )

  test('is accepted if no variable is set', () => {
    expect(railProblems({})).toEqual([])
  })
})

describe('the webhook URL', () => {
  const tokenIn = (address: string): string => decodeURIComponent(address.split('/').at(-1) ?? '')

  test.for(providers)('of $name identifies that rail only', ({ name }) => {
    const address = webhookUrl(server.app, name)
    expect(address).toMatch(/^http:\/\/cowrie\.test\/webhooks\/rail\/[^/?#]+$/)
    expect(railOfToken(server.app, tokenIn(address))).toBe(name)
    const others = providers.filter((other) => other.name !== name)
    for (const other of others) expect(webhookUrl(server.app, other.name)).not.toBe(address)
  })

  test('has the configured token, or a token of 160 bits', () => {
    expect(tokenIn(webhookUrl(server.app, 'daraja'))).toBe('chosen by the operator')
    expect(tokenIn(webhookUrl(server.app, 'momo'))).toMatch(/^[0-9a-f]{40}$/)
  })

  test.for(['', 'x', 'chosen by the operato', '0'.repeat(40)])(
    'with the token %o belongs to no rail',
    (token) => {
      expect(railOfToken(server.app, token)).toBeNull()
    },
  )

  test('stays valid after the service secret or the token changed', async () => {
    const before = await startTestServer({ url: server.url })
    const rotated = await startTestServer({
      url: server.url,
      variables: {
        SERVICE_SECRET: 'another secret that is long enough too',
        SERVICE_SECRET_PREVIOUS: SECRET,
        SERVICE_WEBHOOK_TOKEN_MPESA: 'chosen later',
      },
    })
    const forgotten = await startTestServer({
      url: server.url,
      variables: { SERVICE_SECRET: 'another secret that is long enough too' },
    })
    for (const name of ['daraja', 'momo', 'ozow'] as const) {
      const token = tokenIn(webhookUrl(before.app, name))
      expect(railOfToken(rotated.app, token)).toBe(name)
      expect(railOfToken(forgotten.app, token)).toBeNull()
      expect(tokenIn(webhookUrl(rotated.app, name))).not.toBe(token)
    }
    for (const each of [before, rotated, forgotten]) await each.close()
  })
})
