import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
})
afterAll(() => server.close())

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

/** The log line of the request with this id. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  const lines = () => server.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  const find = () => lines().find((line) => line.msg === 'http.request' && line.requestId === requestId)
  await expect.poll(find).toBeDefined()
  return find() ?? {}
}

test('the log line of a request names its route, user, organisation and trace', async () => {
  await server.call('GET', '/me', {
    as: person,
    headers: { 'x-request-id': 'request-with-trace', traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` },
  })
  const { userId, orgId } = person
  const expected = { route: 'me.get', status: 200, userId, orgId, trace_id: TRACE_ID }
  expect(await lineOf('request-with-trace')).toMatchObject(expected)
})

test('a request without a trace gets a trace id, and a public route names no user', async () => {
  await server.call('GET', '/health', { headers: { 'x-request-id': 'request-no-trace' } })
  const line = await lineOf('request-no-trace')
  expect(line).toMatchObject({ route: 'system.health', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(line).not.toHaveProperty('userId')
  expect(line).not.toHaveProperty('orgId')
})
