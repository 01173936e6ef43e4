import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after } from '../kernel/clock.ts'
import { readBalances, reserve } from '../wallet/wallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const BALANCE = 1_000n
const FILES = [
  { path: 'src/add.ts', content: 'export const add = (a: number, b: number): number => a + b\n'.repeat(20) },
]

test('a retry after a crash releases the hold of the lost attempt first', async () => {
  const ada = await server.person()
  await giveCredit(server, ada.orgId, BALANCE)
  const index = (key: string) =>
    server.call<{ costMinor: bigint; code?: string }>('POST', '/repo/index', {
      as: ada,
      body: { files: FILES },
      headers: { 'idempotency-key': key },
    })
  const first = await index('pattern')
  expect(first.status).toBe(200)
  expect((await server.call('DELETE', '/repo/index', { as: ada, body: {} })).status).toBe(200)
  const left = BALANCE - first.body.costMinor

  // The state after a killed process: the key is still running, and a hold takes the whole balance.
  const now = server.clock.now()
  await server.sql.rows`
    insert into idempotency_keys
      (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at, lease_until)
    select user_id, route, 'lost', 'idem_lost', fingerprint, 'running', 1, ${now}, ${now}, ${after(now, { seconds: 20 })}
    from idempotency_keys where key = 'pattern'`
  const held = await reserve(server.app, {
    ...{ orgId: ada.orgId, userId: ada.userId, ref: 'ixr_lost.1', source: 'index' as const },
    ...{ amountMinor: left, terms: {}, deadline: after(now, { minutes: 10 }) },
  })
  expect(held.ok).toBe(true)
  expect(await index('lost')).toMatchObject({ status: 409, headers: { 'retry-after': '20' } })

  server.clock.advance({ seconds: 20 })
  const retried = await index('lost')
  expect(retried).toMatchObject({ status: 200, body: { indexed: 1 } })
  expect(retried.body.costMinor).toBeGreaterThan(0n)
  expect(await readBalances(server.app.db.direct, ada.orgId)).toMatchObject({
    balanceMinor: left - retried.body.costMinor,
    heldMinor: 0n,
  })
})
