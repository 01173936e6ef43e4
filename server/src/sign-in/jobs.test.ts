import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, login, me, tokenTo } from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'] })
})
afterAll(() => server.close())

const left = () =>
  server.sql.one<Record<string, number>>`
    select (select count(*)::int from links) as links, (select count(*)::int from attempts) as attempts,
           (select count(*)::int from sessions) as sessions`

test('expired links, counters and sessions are deleted, others stay', async () => {
  const { email } = await createPasswordUser(server)
  const browser = server.visitor()
  await login(browser, email)
  await login(server, email, 'a wrong password')
  await server.call('POST', '/auth/password/forgot', { body: { email } })
  await tokenTo(server, email)
  await expect.poll(left).toEqual({ links: 1, attempts: 7, sessions: 1 })

  server.clock.advance({ hours: 1 })
  await server.app.jobs.drain()
  expect((await left()).links).toBe(1)
  expect((await me(browser)).status).toBe(200)

  server.clock.advance({ hours: 26 })
  await server.app.jobs.drain()
  expect(await left()).toEqual({ links: 0, attempts: 0, sessions: 1 })

  server.clock.advance({ days: 118 })
  await server.app.jobs.drain()
  expect((await left()).sessions).toBe(1)
  server.clock.advance({ days: 2 })
  await server.app.jobs.drain()
  expect((await left()).sessions).toBe(0)
})

test('a job that cannot decrypt its payload fails and mails nothing', async () => {
  const { email } = await createPasswordUser(server)
  await server.call('POST', '/auth/magic/request', { body: { email } })
  await server.sql.rows`update jobs set payload = '{"sealed":"forged"}' where name = 'signIn.mailLink'`
  await server.app.jobs.drain()
  const jobs = await server.app.jobs.count()
  expect(jobs).toEqual([{ name: 'signIn.mailLink', state: 'waiting', count: 1 }])
  const [job] = await server.sql.rows`select error from jobs`
  expect(job).toMatchObject({ error: expect.stringContaining('cannot be opened') })
})
