import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    variables: { SERVICE_COMMIT: 'abc1234', SERVICE_BUILT_AT: '2026-11-15T00:00:00Z' },
  })
})
afterAll(() => server.close())

test('health, readiness and version are public', async () => {
  expect(await server.call('GET', '/health')).toMatchObject({ status: 200, body: { ok: true } })
  expect(await server.call('GET', '/readyz')).toMatchObject({ status: 200, body: { ready: true } })
  expect((await server.call('GET', '/version')).body).toEqual({
    version: '0.4.0',
    apiVersion: 2,
    commit: 'abc1234',
    builtAt: '2026-11-15T00:00:00Z',
    environment: 'test',
  })
  expect((await server.call('GET', '/health')).headers['x-service-version']).toBe('0.4.0+abc1234')
})

test('the document is OpenAPI 3.1', async () => {
  const { status, body } = await server.call<{ openapi: string; paths: object }>('GET', '/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths)).toContain('/admin/settings/{key}')
  expect(Object.keys(body.paths)).not.toContain('/dev/outbox')
})

test('unsent mails are in the outbox, which does not exist in production', async () => {
  const { app } = server
  await app.db.tx('platform', (tx) =>
    app.mail.send(tx, {
      to: 'ada@example.com',
      subject: 'Hello',
      paragraphs: ['Hello Ada'],
    }),
  )
  await app.jobs.drain()
  const shown = await server.call('GET', '/dev/outbox', { query: { to: 'ada@example.com' } })
  expect(shown).toMatchObject({ status: 200, body: { mails: [{ to: 'ada@example.com', subject: 'Hello' }] } })
  const production = await startTestServer({
    url: server.url,
    variables: {
      SERVICE_ENV: 'production',
      SERVICE_BASE_URL: 'https://cowrie.test',
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
      SERVICE_MAIL_FROM: 'a@example.com',
    },
  })
  expect((await production.call('GET', '/dev/outbox', { query: { to: 'ada@example.com' } })).status).toBe(404)
  expect(
    (await production.call('POST', '/auth/dev-login', { body: { email: 'ada@example.com' } })).status,
  ).toBe(404)
  await production.close()
})

describe('while the database is unavailable', () => {
  test('the service is alive but not ready, rejects in the error format, and recovers', async () => {
    const name = /\/(test_\w+)/.exec(server.url)?.[1] ?? ''
    const lonely = await startTestServer({ url: server.url, clock: server.clock })
    const person = await server.person()
    const { withAdmin } = await import('@cowrie/testkit/harness/harness.ts')
    await withAdmin(async (admin) => {
      await admin.unsafe(`alter database ${name} allow_connections false`)
      await admin.unsafe(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      )
    })
    expect((await lonely.call('GET', '/health')).status).toBe(200)
    await expect.poll(async () => (await lonely.call('GET', '/readyz')).status, { timeout: 10_000 }).toBe(503)
    const refused = await lonely.call('GET', '/me', { as: person })
    expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })
    expect(refused.headers['retry-after']).toBeDefined()
    await withAdmin((admin) => admin.unsafe(`alter database ${name} allow_connections true`))
    await expect
      .poll(async () => (await lonely.call('GET', '/me', { as: person })).status, { timeout: 10_000 })
      .toBe(200)
    await expect.poll(async () => (await lonely.call('GET', '/readyz')).status).toBe(200)
    await lonely.close()
  })
})
