import { startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let fawry: Awaited<ReturnType<typeof startFakeFawry>>

beforeAll(async () => {
  fawry = await startFakeFawry()
  server = await startTestServer({ variables: fawry.variables })
})
afterAll(async () => {
  await server.close()
  await fawry.close()
})

type Report = {
  status: string
  accounts: { account: string; probes: { probe: string; status: string; finding: string }[] }[]
}

describe('200', () => {
  test('an operator gets the results without secrets, and the run is in the audit log', async () => {
    const operator = await server.person({ staff: 'operator' })
    const { status, body, text } = await server.call<Report>('GET', '/admin/rails/fawry/doctor', {
      as: operator,
    })
    expect(status).toBe(200)
    const [account] = body.accounts
    expect(account).toMatchObject({ account: 'EG', keys: 'live' })
    expect(account?.probes.map(({ probe }) => probe)).toEqual([
      ...['keys', 'token', 'unknown_reference', 'account', 'signature', 'callback', 'registration', 'clock'],
    ])
    const statusOf = (name: string) => account?.probes.find(({ probe }) => probe === name)?.status
    expect(['token', 'unknown_reference', 'signature'].map(statusOf)).toEqual(['ok', 'ok', 'ok'])
    // This server has live keys, no public https address and a clock that stands still.
    expect(['keys', 'callback', 'clock'].map(statusOf)).toEqual(['warning', 'warning', 'failed'])
    for (const secret of [...Object.values(fawry.variables).slice(0, 2), '/webhooks/rail/'])
      expect(text).not.toContain(secret)

    const { body: log } = await server.call('GET', '/audit', { as: operator, query: { scope: 'all' } })
    expect(log).toMatchObject({
      entries: [
        {
          action: 'admin.rails.doctor',
          target: 'fawry',
          actorEmail: operator.email,
          metadata: { status: 'failed', failures: ['EG.clock'] },
        },
      ],
    })
  })

  test('a provider without keys has no accounts to check', async () => {
    const operator = await server.person({ staff: 'super_admin' })
    const { body } = await server.call('GET', '/admin/rails/paystack/doctor', { as: operator })
    expect(body).toMatchObject({ rail: 'paystack', status: 'skipped', accounts: [] })
  })
})

test('an unknown provider is a 404 with the known ones', async () => {
  const operator = await server.person({ staff: 'operator' })
  const reply = await server.call('GET', '/admin/rails/mock/doctor', { as: operator })
  expect(reply).toMatchObject({ status: 404, body: { error: expect.stringContaining('paystack') } })
})

test('billing staff cannot run it', async () => {
  const billing = await server.person({ staff: 'billing' })
  const reply = await server.call('GET', '/admin/rails/fawry/doctor', { as: billing })
  expect(reply).toMatchObject({ status: 403, body: { code: 'staff_only' } })
})
