import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ProxyServer, startProxy } from './proxy.ts'

const PATIENCE = { timeout: scaledTimeout(15_000) }

type StandIn = { address: string; server: Server; seen: IncomingMessage[]; readyz: number }

let proxy: ProxyServer
const standIns: StandIn[] = []
beforeEach(async () => {
  proxy = await startProxy({ port: 0 })
})
afterEach(async () => {
  await proxy.close()
  for (const { server } of standIns.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A replica that answers as it is told, and keeps what it was asked. */
async function replica(answer: RequestListener): Promise<StandIn> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/readyz') {
      outgoing.writeHead(standIn.readyz, { 'content-type': 'application/json' })
      return outgoing.end(standIn.readyz === 200 ? '{"ready":true}' : '{"code":"database_unavailable"}')
    }
    standIn.seen.push(incoming)
    return answer(incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const standIn: StandIn = { address: `http://127.0.0.1:${port}`, server, seen: [], readyz: 200 }
  standIns.push(standIn)
  await proxy.backends.add(standIn.address)
  return standIn
}

const saying =
  (word: string): RequestListener =>
  (_, outgoing) =>
    outgoing.end(word)

const ask = async (path = '/', init: RequestInit = {}) => {
  const reply = await fetch(`${proxy.address}${path}`, init)
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
const post = (path: string, body: string, headers = {}) => ask(path, { method: 'POST', body, headers })
const words = async (count: number) => {
  const heard: string[] = []
  for (let i = 0; i < count; i++) heard.push((await ask()).text)
  return heard
}

describe('requests', () => {
  test('go to the replicas in turn', async () => {
    await replica(saying('one'))
    await replica(saying('two'))
    expect((await words(4)).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  })

  test('do not go to one that says that it is not ready, until it is', async () => {
    const one = await replica(saying('one'))
    await replica(saying('two'))
    one.readyz = 503
    await expect.poll(() => words(2), PATIENCE).toEqual(['two', 'two'])
    one.readyz = 200
    await expect.poll(async () => (await words(2)).toSorted(), PATIENCE).toEqual(['one', 'two'])
  })

  test('go to one that answers where nobody is ready: it says what is wrong', async () => {
    const one = await replica(saying('one'))
    one.readyz = 503
    await expect.poll(() => proxy.backends.ready, PATIENCE).toBe(0)
    expect(await words(1)).toEqual(['one'])
  })

  test('go to the next one where a connection is refused', async () => {
    const one = await replica(saying('one'))
    await replica(saying('two'))
    one.server.close()
    one.server.closeAllConnections()
    await once(one.server, 'close')
    expect(await words(4)).toEqual(['two', 'two', 'two', 'two'])
  })

  test('are refused with the time to come again where no replica is there', async () => {
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

  test('that a replica may have taken are never sent to another', async () => {
    const one = await replica((incoming) => void incoming.socket.destroy())
    const two = await replica((incoming) => void incoming.socket.destroy())
    const { status, headers, text } = await post('/wallet/topup', '{}', { 'idempotency-key': 'once' })
    expect(status).toBe(502)
    expect(headers.get('retry-after')).toBe('1')
    expect(JSON.parse(text)).toMatchObject({ code: 'answer_lost' })
    expect(one.seen.length + two.seen.length).toBe(1)
  })

  test('that cannot be read are refused in the same shape', async () => {
    const socket = connect(Number(new URL(proxy.address).port), '127.0.0.1')
    socket.write('NO SUCH THING\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"/s)
  })
})

describe('a replica that leaves', () => {
  test('gets no more requests and ends those it has', async () => {
    const held = Promise.withResolvers<void>()
    const one = await replica((_, outgoing) => void held.promise.then(() => outgoing.end('one')))
    const first = ask()
    await expect.poll(() => one.seen.length, PATIENCE).toBe(1)
    await replica(saying('two'))
    const left = proxy.backends.leave(one.address, 60_000)
    expect(await words(3)).toEqual(['two', 'two', 'two'])
    held.resolve()
    expect((await first).text).toBe('one')
    expect(await left).toBe(true)
  })

  test('is not waited for without end', async () => {
    const one = await replica(() => undefined)
    const first = ask().catch(() => null)
    await expect.poll(() => one.seen.length, PATIENCE).toBe(1)
    expect(await proxy.backends.leave(one.address, 50)).toBe(false)
    one.server.closeAllConnections()
    expect((await first)?.status).toBe(502)
  })
})

describe('what passes', () => {
  test('is what the client sent, but for what it says about itself', async () => {
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

  test('comes back with its status and headers, cookies one by one', async () => {
    await replica((_, outgoing) => {
      outgoing.writeHead(418, ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-mine', 'yes'])
      outgoing.end('short')
    })
    const { status, headers, text } = await ask()
    expect({ status, text, mine: headers.get('x-mine') }).toEqual({ status: 418, text: 'short', mine: 'yes' })
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('passes piece by piece in both directions', async () => {
    await replica((incoming, outgoing) => {
      outgoing.writeHead(200)
      incoming.on('data', (piece) => outgoing.write(`heard ${piece}`))
      incoming.on('end', () => outgoing.end())
    })
    const { hostname, port } = new URL(proxy.address)
    const outgoing = request({ hostname, port, method: 'POST' })
    outgoing.write('first')
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    // Neither side has ended, and each has heard the other.
    expect(String((await once(reply, 'data'))[0])).toBe('heard first')
    outgoing.end('second')
    expect(await text(reply)).toBe('heard second')
  })

  test('ends at the replica when the client goes', async () => {
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

  test('is cut at the client where it was cut at the replica', async () => {
    await replica((incoming, outgoing) => {
      outgoing.write('half of', () => (incoming.socket as Socket).destroy())
    })
    await expect(ask()).rejects.toThrow()
  })
})
