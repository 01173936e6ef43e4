import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPasswordUser,
  login,
  OTHER_PASSWORD,
  register,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLink, lockUser, peekLink, verifyUser } from '../../identity/identity.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('confirming an address ends every earlier link that could open its account', async () => {
  const { userId } = await createPasswordUser(server, { verified: false })
  const kinds = ['verify', 'reset', 'magic', 'invitation'] as const
  const make = (kind: (typeof kinds)[number]) =>
    server.app.db.tx('platform', (tx) => createLink(tx, { kind, userId }))
  const others = [await make('reset'), await make('magic'), await make('invitation')]
  const { token } = await make('verify')
  expect((await server.call('POST', '/auth/verify', { body: { token } })).status).toBe(200)
  for (const other of others)
    expect(await peekLink(server.app.db.direct, kinds, other.token, server.clock.now())).toBeNull()
})

test('an address that is confirmed during another registration keeps its password', async () => {
  const { email, userId } = await createPasswordUser(server, { verified: false })
  const calls: ReturnType<typeof register>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await lockUser(tx, userId)
    calls.push(register(server, email, OTHER_PASSWORD))
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    await verifyUser(tx, userId)
  })
  expect((await calls[0])?.status).toBe(201)
  expect((await login(server, email)).status).toBe(200)
})

test('registering an address that has an account writes an audit event for its owner', async () => {
  const { email, userId, orgId } = await createPasswordUser(server)
  expect((await register(server, email)).status).toBe(201)
  const traces = await server.sql.rows`
    select actor_kind, metadata from audit_entries
    where org_id = ${orgId} and action = 'auth.register' and target = ${userId}`
  expect(traces).toEqual([{ actor_kind: 'system', metadata: { known: true } }])
})
