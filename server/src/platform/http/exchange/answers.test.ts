import { connect } from 'node:net'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../../kernel/errors.ts'
import type { Module } from '../../module.ts'
import { answer } from '../answer.ts'
import { route } from '../route.ts'

const Reply = z.object({ ok: z.literal(true) })
const Empty = z.object({})
let finish: () => void = () => undefined

/** Routes that differ in how they produce their response. */
const answers: Module = {
  name: 'answers',
  routes: [
    route('answers.slow', 'POST /answers/slow', {
      summary: 'Respond when the test releases it.',
      access: 'none',
      rate: 'global',
      timeoutMs: 100,
      body: Empty,
      reply: { 200: Reply },
      handle: async ({ request }) => {
        request.setHeader('x-late', 'yes')
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return { ok: true as const }
      },
    }),
    route('answers.patient', 'POST /answers/patient', {
      summary: 'Respond when the test releases it, with a long timeout.',
      access: 'none',
      rate: 'global',
      timeoutMs: 30_000,
      body: Empty,
      reply: { 200: Reply },
      handle: async () => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return { ok: true as const }
      },
    }),
    route('answers.undescribed', 'GET /answers/undescribed', {
      summary: 'Respond with an undescribed field.',
      access: 'none',
      rate: 'global',
      reply: { 200: z.object({ items: z.array(Reply) }) },
      handle: () => ({ items: [{ ok: true as const, more: 1 }] }),
    }),
    route('answers.headers', 'GET /answers/headers', {
      summary: 'Set headers and cookies.',
      access: 'none',
      rate: 'global',
      query: z.object({ refuse: z.string().optional(), broken: z.string().optional() }),
      reply: { 200: Reply, 201: Reply },
      errors: ['not_found'],
      handle: ({ request, query }) => {
        request.setHeader('Cache-Control', 'private')
        request.setCookie('first=1')
        request.setCookie('second=2')
        if (query.broken) request.setHeader('x-broken', 'two\nlines')
        if (query.refuse) throw new ApiError('not_found')
        return answer(201, { ok: true as const }, { 'x-further': 'one' })
      },
    }),
  ],
}

let server: TestServer
let base: string
beforeAll(async () => {
  server = await startTestServer({ modules: [answers] })
  base = await server.listen()
})
afterAll(() => server.close())

const noted = (name: string) => server.logged.filter((line) => line.includes(`"route":"${name}"`))

describe('a handler that takes too long', () => {
  test('gets a timeout response, also for a request with a body, and its late reply is discarded', async () => {
    const reply = await fetch(`${base}/answers/slow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(reply.status).toBe(503)
    expect(await reply.json()).toMatchObject({ code: 'handler_timeout' })
    finish()
    await expect.poll(() => noted('answers.slow').length).toBe(1)
    expect(noted('answers.slow')[0]).toContain('"status":503')
    expect(server.logged.join('')).not.toContain('"level":"error"')
  })

  test('is logged once as a disconnect when its client has gone', async () => {
    server.logged.length = 0
    // A route with a long timeout, so that the disconnect comes first.
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.write(
      'POST /answers/patient HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    )
    const waiting = finish
    await expect.poll(() => finish !== waiting).toBe(true)
    socket.destroy()
    await expect.poll(() => noted('answers.patient').length).toBe(1)
    expect(noted('answers.patient')[0]).toContain('"status":499')
    finish()
    await server.call('GET', '/health')
    expect(noted('answers.patient').length).toBe(1)
  })
})

describe('the headers of a handler', () => {
  test('replace the default headers in any case, and cookies are kept side by side', async () => {
    const reply = await fetch(`${base}/answers/headers`)
    expect(reply.status).toBe(201)
    expect(reply.headers.get('cache-control')).toBe('private')
    expect(reply.headers.get('x-further')).toBe('one')
    expect(reply.headers.getSetCookie()).toEqual(['first=1', 'second=2'])
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('ratelimit-limit')).toBeTruthy()
    expect(await reply.json()).toEqual({ ok: true })
  })

  test('do not make an error cacheable; its cookies are sent', async () => {
    const reply = await fetch(`${base}/answers/headers?refuse=1`)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.getSetCookie()).toEqual(['first=1', 'second=2'])
    expect(reply.headers.get('ratelimit-limit')).toBeTruthy()
  })

  test('with invalid characters are a bug, and the client receives an error', async () => {
    const reply = await fetch(`${base}/answers/headers?broken=1`, { signal: AbortSignal.timeout(15_000) })
    expect(reply.status).toBe(500)
    expect(await reply.json()).toMatchObject({ code: 'internal' })
  })

  test('are not confused with a request id that looks like one', async () => {
    const reply = await fetch(`${base}/health`, { headers: { 'x-request-id': 'content-type' } })
    expect(reply.headers.get('x-request-id')).toBe('content-type')
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

test('a HEAD response equals the GET response without its body', async () => {
  // Otherwise the client shows the length that was sent and the body that it decoded.
  const headers = { 'accept-encoding': 'identity' }
  const [get, head] = await Promise.all([
    fetch(`${base}/openapi.json`, { headers }),
    fetch(`${base}/openapi.json`, { headers, method: 'HEAD' }),
  ])
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength))
  expect(await head.text()).toBe('')
})

test('an undescribed field in a reply is a bug that is detected outside production', async () => {
  expect((await server.call('GET', '/answers/undescribed')).status).toBe(500)
  expect(server.logged.join()).toContain('items.0.more in the reply of answers.undescribed is described')
})
