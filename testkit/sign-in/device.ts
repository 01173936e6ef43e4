// Shared setup of device login tests: two replicas, a program and a user.

import type { Tx } from '@cowrie/server/src/platform/db/tx.ts'
import { expect } from 'vitest'
import { type Person, type Reply, startTestServer, type TestServer } from '../harness/harness.ts'

export type StartedDeviceLogin = {
  deviceCode: string
  userCode: string
  verificationUrl: string
  verificationUrlComplete: string
  interval: number
  expiresIn: number
  expiresAt: string
}
export type CollectedKey = { key: string; id: string; orgId: string; userId: string; scopes: string[] }
export type DeviceFixture = Awaited<ReturnType<typeof openDeviceFixture>>

export async function openDeviceFixture() {
  const variables = { TRUST_PROXY: '1' }
  const server = await startTestServer({ variables })
  const replica = await startTestServer({
    variables,
    url: server.url,
    clock: server.clock,
  })
  const ada = await server.person({ email: 'ada@example.com' })
  let networks = 0

  /** Each request comes from a new address by default, because the number per address is limited. */
  const ask = (body: unknown = {}, address = `198.51.100.${networks++ % 250}`, on = server) =>
    on.call<StartedDeviceLogin>('POST', '/auth/device', {
      body,
      headers: { 'x-forwarded-for': address, 'user-agent': 'cowrie-cli/1' },
    })

  return {
    server,
    replica,
    ada,
    ask,
    async start(body: unknown = {}): Promise<StartedDeviceLogin> {
      const reply = await ask(body)
      expect(reply.status).toBe(200)
      return reply.body
    },
    poll: ({ deviceCode }: Pick<StartedDeviceLogin, 'deviceCode'>, on: TestServer = server) =>
      on.call<CollectedKey>('POST', '/auth/device/token', { body: { deviceCode } }),
    act: (
      verb: 'approve' | 'deny',
      { userCode }: Pick<StartedDeviceLogin, 'userCode'>,
      as: Person = ada,
      on: TestServer = server,
    ) => on.call('POST', `/auth/device/${userCode}/${verb}`, { as }),
    look: (userCode: string, as: Person = ada) => server.call('GET', `/auth/device/${userCode}`, { as }),
    keysOf: async ({ orgId }: Person): Promise<number> =>
      (await server.sql.rows`select id from api_keys where org_id = ${orgId}`).length,

    /**
     * Makes calls collide: starts them while `hold` holds a lock, and releases it once `waiting` calls wait.
     */
    async collide<T>(hold: (tx: Tx) => Promise<unknown>, waiting: number, begin: () => Promise<T>[]) {
      let calls: Promise<T>[] = []
      await server.app.db.tx('platform', async (tx) => {
        await hold(tx)
        calls = begin()
        await expect
          .poll(
            async () =>
              (
                await server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
              ).length,
            {
              timeout: 10_000,
            },
          )
          .toBe(waiting)
      })
      return Promise.all(calls)
    },

    async close() {
      await replica.close()
      await server.close()
    },
  }
}

/** 200 or the error code of each reply, sorted. */
export const codesOf = (replies: readonly Reply<object>[]): unknown[] =>
  replies.map(({ status, body }) => (status === 200 ? 200 : (body as { code: string }).code)).sort()
