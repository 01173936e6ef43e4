import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    variables: {
      PAYSTACK_SECRET_KEY: 'sk_test_1',
      SERVICE_WEBHOOK_TOKEN_MPESA: 'operator-token',
      SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
    },
  })
})
afterAll(() => server.close())

type Rails = { rails: { rail: string; keys: string; channels: string[]; notifyUrl: string | null }[] }

describe('200', () => {
  test('operators see the configured rails and their secret webhook URLs', async () => {
    const operator = await server.person({ staff: 'operator' })
    const reply = await server.call('GET', '/admin/rails', { as: operator })
    expect(reply.status).toBe(200)
    const { rails } = reply.body as Rails
    expect(rails).toHaveLength(8)
    expect(rails.find(({ rail }) => rail === 'paystack')).toMatchObject({
      keys: 'test',
      channels: ['card', 'ussd', 'mpesa', 'mtn_momo', 'ozow', 'telecel_cash', 'airteltigo'],
    })
    expect(rails.find(({ rail }) => rail === 'fawry')).toMatchObject({ keys: 'none', channels: ['fawry'] })
    expect(new Set(rails.map(({ notifyUrl }) => notifyUrl)).size).toBe(8)
  })

  test('support staff see the rails without the webhook URLs', async () => {
    const support = await server.person({ staff: 'support' })
    const { status, body } = await server.call('GET', '/admin/rails', { as: support })
    expect(status).toBe(200)
    expect((body as Rails).rails.map(({ notifyUrl }) => notifyUrl)).toEqual(Array(8).fill(null))
  })
})

test('a webhook of an unconfigured rail is stored with a verdict for that', async () => {
  const reply = await server.call('POST', '/webhooks/rail/operator-token', { body: { Body: {} } })
  expect(reply.status).toBe(200)
  expect(await server.sql.rows`select rail, verdict from payment_events`).toEqual([
    { rail: 'daraja', verdict: 'rail_not_live' },
  ])
})
