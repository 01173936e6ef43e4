import { once } from 'node:events'
import { connect } from 'node:net'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { Answer } from '../answer.ts'
import { toApiError } from '../reply/error-response.ts'
import { raw, route } from '../route.ts'

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

describe('the stop does not wait for the time limit of', () => {
  /** Blocks until the test opens it. */
  let gate: { promise: Promise<void>; resolve: () => void }
  const arrived: string[] = []
  async function* endless() {
    yield 'the beginning'
    await new Promise(() => undefined)
  }
  const late: Module = {
    name: 'late',
    routes: [
      route('late.stream', 'GET /late/stream', {
        summary: 'Open a stream after a while.',
        access: 'none',
        rate: 'global',
        stream: z.object({ n: z.int() }),
        handle: async ({ open }) => {
          arrived.push('stream')
          await gate.promise
          const { closed } = open()
          if (!closed.aborted) await once(closed, 'abort')
          return { n: 1 }
        },
      }),
      route('late.file', 'GET /late/file', {
        summary: 'Send a file after a while.',
        access: 'none',
        rate: 'global',
        timeoutMs: 30 * 60_000,
        reply: { 200: raw('text/plain', 'A file without an end.') },
        handle: async () => {
          arrived.push('file')
          await gate.promise
          return new Answer(200, endless())
        },
      }),
    ],
  }
  let stopping: TestServer
  let at: string
  beforeEach(async () => {
    gate = Promise.withResolvers<void>()
    arrived.length = 0
    stopping = await startTestServer({ modules: [late], url: server.url, clock: server.clock })
    at = await stopping.listen()
  })
  afterEach(() => stopping.close())

  test('a stream that opens later, which asks to reconnect', async () => {
    const reply = fetch(`${at}/late/stream`)
    await expect.poll(() => arrived).toEqual(['stream'])
    const closed = stopping.service.engine.close()
    gate.resolve()
    expect(await (await reply).text()).toContain('"code":"restarting"')
    await closed
  }, 30_000)

  test('a download that begins later', async () => {
    const reply = fetch(`${at}/late/file`).then((response) => response.text())
    const outcome = reply.catch((error: Error) => error.name)
    await expect.poll(() => arrived).toEqual(['file'])
    const closed = stopping.service.engine.close()
    gate.resolve()
    expect(await outcome).toBe('TypeError')
    await closed
  }, 30_000)
})
