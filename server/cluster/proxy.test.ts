import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ProxyServer, startProxy } from './proxy.ts'

const PATIENCE = { timeout: scaledTimeout(15_000) }

type FakeReplica = { address: string; server: Server; seen: IncomingMessage[]; readyz: number }

let proxy: ProxyServer
const fakes: FakeReplica[] = []
beforeEach(async () => {
  proxy = await startProxy({ port: 0 })
})
afterEach(async () => {
  await proxy.close()
  for (const { server } of fakes.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A fake replica that answers with the given listener and records its requests. */
async function replica(answer: RequestListener): Promise<FakeReplica> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/readyz') {
      outgoing.writeHead(fake.readyz, { 'content-type': 'application/json' })
      return outgoing.end(fake.readyz === 200 ? '{"ready":true}' : '{"code":"database_unavailable"}')
    }
    fake.seen.push(incoming)
    return answer(incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fake: FakeReplica = { address: `http://127.0.0.1:${port}`, server, seen: [], readyz: 200 }
  fakes.push(fake)
  await proxy.backends.add(fake.address)
  return fake
}

const answerWith =
  (word: string): RequestListener =>
  (_, outgoing) =>
    outgoing.end(word)

const ask = async (path = '/', init: RequestInit = {}) => {
  const reply = await fetch(`${proxy.address}${path}`, init)
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
const post = (path: string, body: string, headers = {}) => ask(path, { method: 'POST', body, headers })
const words = async (count: number) => {
  const texts: string[] = []
  for (let i = 0; i < count; i++) texts.push((await ask()).text)
  return texts
}

describe('requests', () => {
  test('are distributed round-robin', async () => {
    await replica(answerWith('one'))
    await replica(answerWith('two'))
    expect((await words(4)).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  })

  test('skip a replica while it is not ready', async () => {
    const one = await replica(answerWith('one'))
    await replica(answerWith('two'))
    one.readyz = 503
    await expect.poll(() => words(2), PATIENCE).toEqual(['two', 'two'])
    one.readyz = 200
    await expect.poll(async () => (await words(2)).toSorted(), PATIENCE).toEqual(['one', 'two'])
  })

  test('go to a reachable replica if none is ready, because it returns the right error', async () => {
    const one = await replica(answerWith('one'))
    one.readyz = 503
    await expect.poll(() => proxy.backends.ready, PATIENCE).toBe(0)
    expect(await words(1)).toEqual(['one'])
  })

  test('go to the next replica when a connection is refused', async () => {
    const one = await replica(answerWith('one'))
    await replica(answerWith('two'))
    one.server.close()
    one.server.closeAllConnections()
    await once(one.server, 'close')
    expect(await words(4)).toEqual(['two', 'two', 'two', 'two'])
  })

  test('are refused with Retry-After when there is no replica', async () => {
    const { status, headers, text } = await ask('/wallet')
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(JSON.parse(text)).toEqual({
      error: expect.any(String),
      code: 'restarting',
      requestId: headers.get('x-request-id'),
    })
    expect(JSON.parse((await ask('/v1/models')).text)).toMatchObject({ error: { code: 'restarting' } })
  })

  test('that a replica may have received are never sent to another', async () => {
    const one = await replica((incoming) => void incoming.socket.destroy())
    const two = await replica((incoming) => void incoming.socket.destroy())
    const { status, headers, text } = await post('/wallet/topup', '{}', { 'idempotency-key': 'once' })
    expect(status).toBe(502)
    expect(headers.get('retry-after')).toBe('1')
    expect(JSON.parse(text)).toMatchObject({ code: 'answer_lost' })
    expect(one.seen.length + two.seen.length).toBe(1)
  })

  test('that cannot be parsed are refused in the same error format', async () => {
    const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1')
    socket.write('NO SUCH THING\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"/s)
  })
})

describe('a draining replica', () => {
  test('gets no new requests and finishes its open ones', async () => {
    const held = Promise.withResolvers<void>()
    const one = await replica((_, outgoing) => void held.promise.then(() => outgoing.end('one')))
    const first = ask()
    await expect.poll(() => one.seen.length, PATIENCE).toBe(1)
    await replica(answerWith('two'))
    const left = proxy.backends.leave(one.address, 60_000)
    expect(await words(3)).toEqual(['two', 'two', 'two'])
    held.resolve()
    expect((await first).text).toBe('one')
    expect(await left).toBe(true)
  })

  test('is given up after the timeout', async () => {
    const one = await replica(() => undefined)
    const first = ask().catch(() => null)
    await expect.poll(() => one.seen.length, PATIENCE).toBe(1)
    expect(await proxy.backends.leave(one.address, 50)).toBe(false)
    one.server.closeAllConnections()
    expect((await first)?.status).toBe(502)
  })
})

describe('forwarding', () => {
  test('passes the request on, except headers about the client address', async () => {
    const one = await replica(async (incoming, outgoing) => outgoing.end(await text(incoming)))
    const headers = {
      'x-forwarded-for': '198.18.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'elsewhere.example',
      forwarded: 'for=198.18.0.1',
      'x-real-ip': '198.18.0.1',
      authorization: 'Bearer me',
    }
    expect((await post('/some/path?with=query', 'the body', headers)).text).toBe('the body')
    const [seen] = one.seen
    expect(seen).toMatchObject({ method: 'POST', url: '/some/path?with=query' })
    expect(seen?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      authorization: 'Bearer me',
      host: new URL(proxy.address).host,
    })
    expect(Object.keys(seen?.headers ?? {})).not.toContain('forwarded')
    expect(Object.keys(seen?.headers ?? {})).not.toContain('x-real-ip')
    expect(Object.keys(seen?.headers ?? {})).not.toContain('x-forwarded-host')
  })

  test('returns status and headers, with separate cookies', async () => {
    await replica((_, outgoing) => {
      outgoing.writeHead(418, ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-mine', 'yes'])
      outgoing.end('short')
    })
    const { status, headers, text } = await ask()
    expect({ status, text, mine: headers.get('x-mine') }).toEqual({ status: 418, text: 'short', mine: 'yes' })
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('streams in both directions', async () => {
    await replica((incoming, outgoing) => {
      outgoing.writeHead(200)
      incoming.on('data', (piece) => outgoing.write(`heard ${piece}`))
      incoming.on('end', () => outgoing.end())
    })
    const { hostname, port } = new URL(proxy.address)
    const outgoing = request({ hostname, port, method: 'POST' })
    outgoing.write('first')
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    // Neither side has ended, and data has passed in both directions.
    expect(String((await once(reply, 'data'))[0])).toBe('heard first')
    outgoing.end('second')
    expect(await text(reply)).toBe('heard second')
  })

  test('closes the connection to the replica when the client disconnects', async () => {
    const gone = Promise.withResolvers<void>()
    await replica((_, outgoing) => {
      outgoing.write('so far')
      outgoing.on('close', gone.resolve)
    })
    const leaving = new AbortController()
    const reply = await fetch(proxy.address, { signal: leaving.signal })
    expect(reply.status).toBe(200)
    leaving.abort()
    await gone.promise
  })

  test('cuts the response when the replica cuts it', async () => {
    await replica((incoming, outgoing) => {
      outgoing.write('half of', () => (incoming.socket as Socket).destroy())
    })
    await expect(ask()).rejects.toThrow()
  })
})
