import { Agent, request } from 'node:http'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, PASSWORD } from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const LOGINS = 500

let server: TestServer
let address: string
const agent = new Agent({ keepAlive: true })
beforeAll(async () => {
  // Uses production hashes, which take the time.
  server = await startTestServer({ variables: { SERVICE_ENV: 'development' } })
  address = await server.listen()
})
afterAll(async () => {
  agent.destroy()
  await server.close()
})

type Answered = { status: number; retryAfter: string | undefined }

function send(method: string, path: string, body?: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = text
      ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      : {}
    const sent = request(`${address}${path}`, { method, headers, agent }, (response) => {
      response.resume().on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
        }),
      )
    })
    sent.on('error', reject).end(text)
  })
}

test('500 concurrent sign-ins succeed or get a time to retry, while the service stays healthy', async () => {
  const people: string[] = []
  for (let i = 0; i < 5; i++) people.push((await createPasswordUser(server)).email)
  let isOver = false
  const health: number[] = []
  const watching = (async () => {
    for (let i = 0; i < 10_000 && !isOver; i++) health.push((await send('GET', '/health')).status)
  })()

  const answers = await Promise.all(
    Array.from({ length: LOGINS }, (_, i) =>
      send('POST', '/auth/login', {
        email: people[i % 5] ?? '',
        password: i % 3 === 0 ? PASSWORD : `guess number ${i}`,
      }),
    ),
  )
  isOver = true
  await watching

  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter((status) => ![200, 401, 429, 503].includes(status))).toEqual([])
  expect(statuses).toContain(503)
  for (const { status, retryAfter } of answers)
    if (status === 429 || status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
  expect(health.length).toBeGreaterThan(10)
  expect(new Set(health)).toEqual(new Set([200]))
  await server.sql.rows`delete from attempts`
  const after = await send('POST', '/auth/login', { email: people[0] ?? '', password: PASSWORD })
  expect(after.status).toBe(200)
}, 240_000)
