// The memory of the process under hostile bodies and readers. These tests run alone, because they measure it.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { route } from '../route.ts'

const LIMIT = 64 * 1024

const count: Module = {
  name: 'count',
  routes: [
    route('count.text', 'POST /count', {
      summary: 'Count the characters of a text.',
      access: 'none',
      rate: 'global',
      bodyLimitBytes: LIMIT,
      body: z.object({ text: z.string() }),
      reply: { 200: z.object({ length: z.int() }) },
      handle: ({ body }) => ({ length: body.text.length }),
    }),
  ],
}

let server: TestServer
let owner: Person
let base: string
beforeAll(async () => {
  server = await startTestServer({ modules: [count, probe], tables: PROBE_TABLES })
  owner = await server.person()
  base = await server.listen()
})
afterAll(() => server.close())

test('a decompression bomb is rejected without full decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(12_000_000))
  expect(bomb.length).toBeLessThan(LIMIT)
  const send = () => server.call('POST', '/count', { raw: bomb, headers: { 'content-encoding': 'gzip' } })
  const before = process.memoryUsage().arrayBuffers
  const refused = await Promise.all(Array.from({ length: 20 }, send))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000)
  for (const reply of refused) expect(reply).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
})

test('a reader of a stream that does not read is disconnected before the buffer grows', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  const before = process.memoryUsage().rss
  socket.write(
    `GET /probe/flood HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${owner.bearer}\r\n\r\n`,
  )
  await expect.poll(() => server.logged.join('').includes('probe.flood'), { timeout: 10_000 }).toBe(true)
  expect(process.memoryUsage().rss - before).toBeLessThan(30 * 1024 * 1024)
  let taken = 0
  socket.on('data', (data) => {
    taken += data.length
  })
  socket.resume()
  await new Promise((resolve) => socket.on('close', resolve))
  // The kernel buffers arrive. The rest of the 40 MB was never buffered for this reader.
  expect(taken).toBeLessThan(20 * 1024 * 1024)
  socket.destroy()
})
