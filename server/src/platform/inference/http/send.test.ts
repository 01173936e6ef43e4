// Responses are returned byte for byte.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { startUpstreamTest, type UpstreamTest, withTimeouts } from '@cowrie/testkit/platform/upstream.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SendOptions, sendUpstream } from './send.ts'

let asking: UpstreamTest
let upstream: UpstreamTest['upstream']
beforeAll(async () => {
  asking = await startUpstreamTest()
  upstream = asking.upstream
})
afterAll(() => asking.close())
beforeEach(() => upstream.reset())

const send = (path: string, body: object, options: Partial<SendOptions> = {}, timeouts = {}) =>
  sendUpstream(
    withTimeouts(asking.server.app, timeouts),
    { baseUrl: upstream.url, apiKey: 'a key for tests only' },
    path,
    JSON.stringify(body),
    { signal: new AbortController().signal, promptTokens: 10, ...options },
  )

const textOf = async (body: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(body)).toString()

test('returns a stream byte for byte, including the comments before its first event', async () => {
  const raw = ': hello\r\n\r\n: again\r\n\r\ndata: {"a":"ü"}\r\n\r\nwhatever\n\n'
  upstream.script({ pieces: [{ raw }], packetBytes: 5, finish: null, usage: 'none', done: 0 })
  const reply = await send('/chat/completions', { stream: true })
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toBe('text/event-stream')
  expect(await textOf(reply.body)).toBe(raw)
})

test('an answer that is not streamed has the total time for its first byte', async () => {
  const pause = gate()
  upstream.script({ pieces: [pause.opened, 'Hello.'] })
  const reply = send(
    '/chat/completions',
    { model: 'x' },
    { unstreamedTokens: 600 },
    { firstByteMs: 100, totalMs: 30_000 },
  )
  await expect.poll(() => upstream.open).toBe(1)
  setTimeout(pause.open, 200)
  const { choices } = JSON.parse(await textOf((await reply).body))
  expect(choices[0].message.content).toBe('Hello.')
})

test('returns the rejection of a request with its body', async () => {
  const reply = await send('/responses', {})
  expect(reply.status).toBe(404)
  expect(JSON.parse(await textOf(reply.body))).toEqual({ error: { message: 'no such address' } })
})

test('returns embeddings', async () => {
  const reply = await send(
    '/embeddings',
    { model: 'e', input: ['a'], dimensions: 8 },
    { unstreamedTokens: 100 },
  )
  expect(JSON.parse(await textOf(reply.body)).data[0].embedding).toHaveLength(8)
})

test('closing a reply closes the upstream connection', async () => {
  upstream.script({ pieces: ['a', 'b'], hangAfter: 1 })
  const reply = await send('/chat/completions', { stream: true })
  expect(upstream.open).toBe(1)
  reply.close()
  await expect.poll(() => upstream.aborted).toBe(1)
  expect(await reply.read()).toBeNull()
})

test('a reader that stops closes the upstream connection', async () => {
  upstream.script({ pieces: ['x'.repeat(10_000)], endless: true })
  const reply = await send('/chat/completions', { stream: true })
  for await (const chunk of reply.body) if (chunk.length > 0) break
  await expect.poll(() => upstream.aborted).toBe(1)
})

test('aborting while reading rejects the read and closes the upstream connection', async () => {
  const gone = new AbortController()
  upstream.script({ pieces: ['a', 'b'], hangAfter: 1 })
  const reply = await send('/chat/completions', { stream: true }, { signal: gone.signal })
  await reply.read()
  const next = reply.read()
  gone.abort()
  await expect(next).rejects.toThrow()
  await expect.poll(() => upstream.aborted).toBe(1)
})

test('pieces that arrive in one packet are read together', async () => {
  const answers: ServerResponse[] = []
  const provider = createServer((_, response) => {
    answers.push(response)
    response.write('first')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const target = { baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`, apiKey: '' }
  const options = { signal: new AbortController().signal, promptTokens: 10 }
  const reply = await sendUpstream(asking.server.app, target, '/chat/completions', '{}', options)
  expect(String(await reply.read())).toBe('first')
  const next = reply.read()
  answers[0]?.socket?.cork()
  for (const piece of ['a', 'b', 'c']) answers[0]?.write(piece)
  answers[0]?.socket?.uncork()
  expect(String(await next)).toBe('abc')
  reply.close()
  provider.close()
})
