import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPasswordUser,
  login,
  me,
  OTHER_PASSWORD,
  PASSWORD,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockUser, setPassword } from '../../identity/identity.ts'
import type { UserId } from '../../kernel/ids.ts'
import { hashPassword } from './passwords.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Replaces the password after `call` has compared the old one. */
async function replacedDuring<T>(userId: UserId, call: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(server.app, OTHER_PASSWORD)
  const calls: Promise<T>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await lockUser(tx, userId)
    calls.push(call())
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    await setPassword(tx, userId, hash)
  })
  const [outcome] = await Promise.all(calls)
  if (outcome === undefined) throw new Error('the call was made')
  return outcome
}

describe('a password that is replaced in the moment after it was compared', () => {
  test('opens no session', async () => {
    const { email, userId } = await createPasswordUser(server)
    const browser = server.visitor()
    const reply = await replacedDuring(userId, () => login(browser, email))
    expect(reply).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect((await me(browser)).status).toBe(401)
  })

  test('does not let the one that replaced it be replaced', async () => {
    const { email, userId } = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, email)
    const body = { currentPassword: PASSWORD, newPassword: 'five storks in May' }
    const reply = await replacedDuring(userId, () => browser.call('POST', '/auth/password/change', { body }))
    expect(reply).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
  })
})
