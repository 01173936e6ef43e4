// Two processes on one PostgreSQL behave as one service.

import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { type ProbeServer, startProbeServer } from '@cowrie/testkit/harness/processes.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../src/kernel/clock.ts'
import { openDb } from '../src/platform/db/open-db.ts'

let url: string
let first: ProbeServer
let second: ProbeServer

beforeAll(async () => {
  // An empty database: both migrate it concurrently, like two replicas of a new release.
  url = await createDatabase(null)
  const variables = {
    DATABASE_URL: url,
    SERVICE_ROOT_ADMIN_EMAIL: 'root@example.com',
    SERVICE_RATE_LIMIT_MONEY: '30/3600',
  }
  ;[first, second] = await Promise.all([startProbeServer(variables), startProbeServer(variables)])
}, 240_000)
afterAll(async () => {
  await Promise.all([first?.kill(), second?.kill()])
  await dropDatabase(url)
})

const send = (server: ProbeServer, method: string, path: string, cookie: string, body?: object) =>
  fetch(`${server.address}${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

async function signIn(server: ProbeServer, email: string): Promise<string> {
  const reply = await send(server, 'POST', '/auth/dev-login', '', { email })
  return reply.headers.get('set-cookie')?.split(';')[0] ?? ''
}

test('a session opened on one replica is valid on the other, and a sign-out on one ends it on both', async () => {
  const cookie = await signIn(first, 'ada@example.com')
  expect((await send(second, 'GET', '/me', cookie)).status).toBe(200)
  expect((await send(second, 'POST', '/auth/logout', cookie)).status).toBe(200)
  expect((await send(first, 'GET', '/me', cookie)).status).toBe(401)
})

test('a setting changed on one replica takes effect on the other within seconds', async () => {
  const cookie = await signIn(first, 'root@example.com')
  const signups = async (server: ProbeServer) =>
    ((await (await fetch(`${server.address}/auth/config`)).json()) as { signupsEnabled: boolean })
      .signupsEnabled
  expect((await send(first, 'PUT', '/admin/settings/signups_enabled', cookie, { value: false })).status).toBe(
    200,
  )
  expect(await signups(first)).toBe(false)
  await expect.poll(() => signups(second), { timeout: 15_000 }).toBe(false)
})

test('replicas share a rate limit: they never admit more, and not much less', async () => {
  const cookie = await signIn(first, 'busy@example.com')
  const statuses: number[] = []
  for (let i = 0; i < 50; i++) {
    const ask = async () => (await send(i % 2 ? first : second, 'POST', '/probe/spend', cookie, {})).status
    // A request that cannot be counted within a second gets 503 and is retried.
    let status = 503
    await expect.poll(async () => (status = await ask()), { timeout: 15_000 }).not.toBe(503)
    statuses.push(status)
  }
  // An empty body is refused, but it counts as a request.
  const admitted = statuses.filter((status) => status === 400).length
  expect(statuses.filter((status) => status === 429)).toHaveLength(50 - admitted)
  expect(admitted).toBeLessThanOrEqual(30)
  expect(admitted).toBeGreaterThanOrEqual(27)
})

describe('the audit log', () => {
  test('stays one chain when both replicas write concurrently', async () => {
    const cookie = await signIn(first, 'root@example.com')
    const path = '/admin/settings/frontier_target_pct'
    const set = async (on: ProbeServer, value: number) =>
      (await send(on, 'PUT', path, cookie, { value })).status
    // A replica that waits too long for the lock refuses without an effect, so the call is retried.
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        expect.poll(() => set(i % 2 ? first : second, i), { timeout: 45_000 }).toBe(200),
      ),
    )
    const verdict = (await (await send(second, 'GET', '/audit/verify?scope=all', cookie)).json()) as {
      ok: boolean
      entries: number
    }
    expect(verdict.ok).toBe(true)
    const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock: new ManualClock(), max: 1 })
    const { n } = await db.direct.one<{
      n: number
    }>`select count(*)::int as n from audit_entries where action = 'settings.set'`
    await db.close()
    expect(n).toBe(41)
  })
})
