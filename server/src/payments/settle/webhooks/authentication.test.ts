// Authentication of provider webhooks, and webhooks during our own outages.

import { type Reply, startTestServer, type TestServer, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paystackSignature } from '../../rails/paystack/webhook.ts'
import { webhookUrl } from './webhook-url.ts'

const SECRET = 'sk_live_fake'
const TOKEN = 'the-secret-of-callbacks'
const PROVIDER = '203.0.113.7'
const BODY = JSON.stringify({ event: 'charge.success', data: { id: 1, reference: 'tp00000001' } })
const DOORS = [
  'POST /webhooks/card_provider',
  'POST /webhooks/mpesa',
  'POST /webhooks/momo',
  'PUT /webhooks/momo',
]

let bare: TestServer
/** Servers behind a proxy, with an IP allowlist, and in maintenance. */
let guarded: TestServer

beforeAll(async () => {
  bare = await startTestServer()
  guarded = await startTestServer({
    variables: {
      TRUST_PROXY: '1',
      SERVICE_MAINTENANCE_MODE: 'true',
      PAYSTACK_SECRET_KEY: SECRET,
      SERVICE_WEBHOOK_IPS_CARD: PROVIDER,
      SERVICE_WEBHOOK_IPS_MPESA: `${PROVIDER}/32`,
      SERVICE_WEBHOOK_IPS_MOMO: PROVIDER,
      SERVICE_WEBHOOK_TOKEN_MPESA: TOKEN,
      SERVICE_WEBHOOK_TOKEN_MOMO: `${TOKEN}-of-mtn`,
    },
  })
})
afterAll(async () => {
  await bare.close()
  await guarded.close()
})

function knock(server: TestServer, door: string, forwardedFor: string, secret = TOKEN): Promise<Reply> {
  const [method = '', path = ''] = door.split(' ')
  const token = path.endsWith('momo') ? `${secret}-of-mtn` : secret
  return server.call(method, path, {
    query: { token },
    raw: BODY,
    headers: { 'x-paystack-signature': paystackSignature(BODY, SECRET), 'x-forwarded-for': forwardedFor },
  })
}

const countEvents = async (server: TestServer) =>
  (await server.sql.one<{ count: bigint }>`select count(*) from payment_events`).count

describe('503', () => {
  test.for([...DOORS, 'POST /webhooks/rail/x', 'PUT /webhooks/rail/x'])(
    'at %s without configuration, even with a signature by an empty key',
    async (door) => {
      const [method = '', path = ''] = door.split(' ')
      const reply = await bare.call(method, path, {
        query: { token: '' },
        raw: BODY,
        headers: { 'x-paystack-signature': paystackSignature(BODY, '') },
      })
      expect(reply).toMatchObject({ status: 503, body: { code: 'not_configured' } })
      expect(await countEvents(bare)).toBe(0n)
    },
  )

  test('while the database is unavailable, so that the provider retries', async () => {
    const name = new URL(guarded.url).pathname.slice(1)
    await withAdmin(async (admin) => {
      await admin.unsafe(`alter database ${name} allow_connections false`)
      await admin.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    })
    try {
      const reply = await knock(guarded, 'POST /webhooks/card_provider', PROVIDER)
      expect(reply).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })
      // Authentication needs no database, so it still fails first.
      const forged = await guarded.call('POST', '/webhooks/card_provider', {
        raw: BODY,
        headers: { 'x-paystack-signature': 'forged', 'x-forwarded-for': PROVIDER },
      })
      expect(forged.status).toBe(401)
    } finally {
      await withAdmin((admin) => admin.unsafe(`alter database ${name} allow_connections true`))
    }
    await expect
      .poll(async () => (await knock(guarded, 'POST /webhooks/card_provider', PROVIDER)).status)
      .toBe(200)
  })
})

describe('403', () => {
  test.for(DOORS)('at %s for an unlisted IP address, also with a forged forwarding header', async (door) => {
    const before = await countEvents(guarded)
    for (const claimed of [
      '198.51.100.9',
      `${PROVIDER}, 198.51.100.9`,
      `198.51.100.9:443`,
      '::1',
      'nonsense',
      '',
    ])
      expect(await knock(guarded, door, claimed)).toMatchObject({
        status: 403,
        body: { code: 'unlisted_address' },
      })
    expect(await countEvents(guarded)).toBe(before)
  })

  test('at the secret URL too, if the rail has an allowlist', async () => {
    const { pathname } = new URL(webhookUrl(guarded.app, 'paystack'))
    const ask = (address: string) => knock(guarded, `POST ${pathname}`, address)
    expect(await ask('198.51.100.9')).toMatchObject({ status: 403, body: { code: 'unlisted_address' } })
    expect((await ask(PROVIDER)).status).toBe(200)
  })

  test.for(['POST /webhooks/mpesa', 'POST /webhooks/momo'])('at %s for the wrong token', async (door) => {
    expect(await knock(guarded, door, PROVIDER, 'another')).toMatchObject({
      status: 403,
      body: { code: 'wrong_secret' },
    })
  })
})

describe('200', () => {
  test.for(DOORS)('at %s for the provider behind our proxy', async (door) => {
    expect((await knock(guarded, door, `198.51.100.9, ${PROVIDER}`)).status).toBe(200)
    expect((await knock(guarded, door, `::ffff:${PROVIDER}`)).status).toBe(200)
  })

  test('for a rail without live keys, stored without effect', async () => {
    await knock(guarded, 'POST /webhooks/mpesa', PROVIDER)
    await guarded.app.jobs.drain()
    const kept = await guarded.sql.rows`
      select verdict, reference, source_ip from payment_events where rail = 'daraja'`
    expect(kept).toEqual([{ verdict: 'rail_not_live', reference: null, source_ip: PROVIDER }])
  })

  test('during maintenance', async () => {
    const ada = await guarded.person()
    const other = await guarded.call('POST', '/kyc', { as: ada, body: { businessName: 'Ada' } })
    expect(other).toMatchObject({ status: 503, body: { code: 'maintenance' } })
    expect((await knock(guarded, 'POST /webhooks/card_provider', PROVIDER)).status).toBe(200)
  })
})
