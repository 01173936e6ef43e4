import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTransport, type SessionTransport } from './transport.ts'

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void
let handle: Handler
let url: string
let transport: SessionTransport
const sockets = new Set<unknown>()
const server = createServer((incoming, outgoing) => {
  sockets.add(incoming.socket)
  handle(incoming, outgoing)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  transport?.close()
  transport = createTransport()
  sockets.clear()
})

afterEach(() => vi.useRealTimers())

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('a body above 200 bytes is sent compressed, a shorter one as it is', async () => {
  const seen: { encoding: string | undefined; text: string; bytes: number }[] = []
  handle = async (incoming, outgoing) => {
    const body = await bodyOf(incoming)
    const encoding = incoming.headers['content-encoding']
    seen.push({
      encoding,
      bytes: body.length,
      text: (encoding === 'gzip' ? gunzipSync(body) : body).toString(),
    })
    outgoing.end('{}')
  }
  const long = JSON.stringify({ text: 'a line of the file\n'.repeat(100) })
  for (const body of ['{}', long])
    await (await transport.fetch(`${url}/tasks`, { method: 'POST', body })).text()
  expect(seen).toMatchObject([
    { encoding: undefined, text: '{}' },
    { encoding: 'gzip', text: long },
  ])
  expect(seen[1]?.bytes).toBeLessThan(150)
})

test('calls share a connection, and all its bytes are counted', async () => {
  handle = (_, outgoing) => outgoing.end('x'.repeat(1_000))
  for (let i = 0; i < 3; i++) {
    const ended = new AbortController()
    expect(await (await transport.fetch(url, { signal: ended.signal })).text()).toHaveLength(1_000)
    // The SDK aborts the signal of a finished call.
    ended.abort()
  }
  expect(sockets.size).toBe(1)
  const { up, down } = transport.bytes()
  expect(up).toBeGreaterThan(200)
  expect(up).toBeLessThan(900)
  expect(down).toBeGreaterThan(3_000)
  transport.close()
  await expect.poll(() => transport.bytes()).toEqual({ up, down })
})

test('a compressed stream is read event by event, and closed when the reader leaves', async () => {
  let isClosed = false
  let write: (text: string) => void = () => undefined
  handle = (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    const packed = createGzip()
    packed.pipe(outgoing)
    write = (text) => {
      packed.write(text)
      packed.flush()
    }
    write('data: 1\n\n')
    outgoing.on('close', () => {
      isClosed = true
    })
  }
  const leave = new AbortController()
  const reply = await transport.fetch(url, {
    headers: { accept: 'text/event-stream' },
    signal: leave.signal,
  })
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await next()).toBe('data: 1\n\n')
  write('data: 2\n\n')
  expect(await next()).toBe('data: 2\n\n')
  leave.abort()
  await expect(next()).rejects.toThrow()
  await expect.poll(() => isClosed).toBe(true)
})

test('a reply that breaks off is an error, compressed or not', async () => {
  for (const encoding of ['gzip', undefined]) {
    handle = (_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '5000', ...(encoding && { 'content-encoding': encoding }) })
      outgoing.write(encoding ? gzipSync('x'.repeat(100)).subarray(0, 15) : 'xxx', () => outgoing.destroy())
    }
    const reply = await transport.fetch(url)
    await expect(reply.text()).rejects.toThrow()
  }
})

test('a kept connection that the service has closed is replaced without an error', async () => {
  handle = (_, outgoing) => outgoing.end('ok')
  await (await transport.fetch(url)).text()
  let calls = 0
  handle = (incoming, outgoing) => {
    calls++
    if (calls === 1) incoming.socket.destroy()
    else outgoing.end('again')
  }
  const body = '{"results":[]}'
  const reply = await transport.fetch(`${url}/tasks/tsk_1/tool-results`, { method: 'POST', body })
  expect(await reply.text()).toBe('again')
})

test('a post without a key that may have arrived is not repeated', async () => {
  handle = (_, outgoing) => outgoing.end('ok')
  await (await transport.fetch(url)).text()
  let calls = 0
  handle = (incoming) => {
    calls++
    incoming.socket.destroy()
  }
  await expect(transport.fetch(`${url}/wallet/topup`, { method: 'POST', body: '{}' })).rejects.toThrow()
  expect(calls).toBe(1)
})

test('an unknown host is an error', async () => {
  await expect(transport.fetch('http://no-such-host.invalid/')).rejects.toThrow()
})

test('an aborted call is an error at once', async () => {
  handle = () => undefined
  const signal = AbortSignal.timeout(30)
  await expect(transport.fetch(url, { signal })).rejects.toThrow()
})

test('connections that a sleeping computer has lost are cut when it wakes up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] })
  transport.close()
  transport = createTransport()
  handle = () => undefined
  const waiting = transport.fetch(url)
  waiting.catch(() => undefined)
  await expect.poll(() => sockets.size).toBe(1)
  vi.advanceTimersByTime(5_000)
  vi.setSystemTime(Date.now() + 60_000)
  vi.advanceTimersByTime(5_000)
  await expect(waiting).rejects.toThrow('the computer was asleep')
})

test('an abort after the last bytes arrived ends nothing but its request', async () => {
  handle = (_, outgoing) => {
    outgoing.write('data: 1\n\n')
    outgoing.end('data: 2\n\n')
  }
  // An error without a listener would fail the whole run.
  for (let round = 0; round < 50; round++) {
    const controller = new AbortController()
    const init = { signal: controller.signal, headers: { accept: 'text/event-stream' } }
    const reader = (await transport.fetch(url, init)).body?.getReader()
    await reader?.read()
    controller.abort()
    await reader?.read().catch(() => undefined)
  }
  handle = (_, outgoing) => outgoing.end('{}')
  expect(await (await transport.fetch(url)).text()).toBe('{}')
})
