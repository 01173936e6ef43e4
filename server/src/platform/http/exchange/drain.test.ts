import { once } from 'node:events'
import { connect } from 'node:net'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toApiError } from '../reply/error-response.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startTestServer()
  address = await server.listen()
})
afterAll(() => server.close())

test('a draining service reports not ready, still serves requests, and closes connections', async () => {
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  server.service.engine.startDraining()
  const ready = await fetch(`${address}/readyz`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toBe('1')
  expect(await ready.json()).toMatchObject({ code: 'restarting' })
  const served = await fetch(`${address}/health`)
  expect(served.status).toBe(200)
  expect(served.headers.get('connection')).toBe('close')
})

test('a connection without a request does not delay the stop', async () => {
  const { engine } = server.service
  // Browsers and HTTP clients open connections in advance.
  const accepted = once(engine.http.server, 'connection')
  const unused = connect(Number(new URL(address).port), '127.0.0.1')
  await accepted
  const gone = once(unused, 'close')
  await engine.close()
  await gone
})

test('internal calls of a request are rejected as retryable during shutdown', async () => {
  const { engine } = server.service
  const gone = new AbortController()
  const late = engine.call({
    ...{ method: 'GET', path: '/health', headers: {} },
    ...{ address: '127.0.0.1', signal: gone.signal },
  })
  const failure = await late.catch((error: unknown) => error)
  expect(toApiError(failure)?.code).toBe('restarting')
})
