// Tests the proxy in front of two replicas: streaming, no repeated requests, and its error answers.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { closeGate, PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '../server/src/kernel/errors.ts'
import {
  CONFIGURATION,
  hasProxy,
  proxyVariables,
  type RunningProxy,
  send,
  startProxy,
  textOf,
} from './test/proxy.ts'

if (hasProxy) describe('the proxy', testProxy)
else
  test('the proxy is not tested on this machine', () => {
    process.stderr.write(
      '\nNOT RUN: the tests of deploy/proxy.test.ts, because haproxy or openssl is not installed here (apt-get install haproxy openssl)\n',
    )
  })

test.for(['502', '503', '504'])(
  'a %s answer of the proxy itself has the error format of the API',
  (status) => {
    const file = readFileSync(new URL(`proxy/${status}.http`, import.meta.url), 'utf8')
    const [head = '', body = ''] = file.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    const { code, error } = JSON.parse(body)
    expect(Object.keys(ERRORS)).toContain(code)
    expect(error).toMatch(/retry/)
  },
)

function testProxy(): void {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-proxy-'))
  const replicas: TestServer[] = []
  let proxy: RunningProxy
  let first: TestServer
  let bearer: string

  beforeAll(async () => {
    const options = { modules: [probe], variables: { TRUST_PROXY: '1', METRICS_TOKEN: 'numbers' } }
    first = await startTestServer({ ...options, tables: PROBE_TABLES })
    replicas.push(first)
    replicas.push(await startTestServer({ ...options, url: first.url, clock: first.clock }))
    const addresses = await Promise.all(replicas.map((replica) => replica.listen()))
    const [one = '', two = ''] = addresses.map((address) => address.replace('http://', ''))
    proxy = await startProxy(folder, [one, two])
    bearer = (await first.person()).bearer
  })
  afterAll(async () => {
    await proxy?.stop()
    for (const replica of replicas.reverse()) await replica.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const call = (
    path: string,
    more: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ) =>
    send(proxy.port, {
      path,
      ...more,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...more.headers },
    })

  test('has a configuration without warnings', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', CONFIGURATION], {
      env: proxyVariables(folder, ['127.0.0.1:1', '127.0.0.1:2'], [8443, 8080]),
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('distributes requests to both replicas, which share their state', async () => {
    for (const { app } of replicas)
      await expect
        .poll(async () => {
          expect((await call('/me')).statusCode).toBe(200)
          return app.metrics.exposition()
        })
        .toMatch(/http_requests_total\{route="me\.get",.*\} [1-9]/)
    const spent = await call('/probe/spend', {
      method: 'POST',
      body: '{"amountMinor":5}',
      headers: { 'idempotency-key': 'through-the-proxy' },
    })
    expect(spent.statusCode).toBe(200)
    const reply = await textOf(spent)
    for (let i = 0; i < 4; i++) {
      const again = await call('/probe/spend', {
        method: 'POST',
        body: '{"amountMinor":5}',
        headers: { 'idempotency-key': 'through-the-proxy' },
      })
      expect(await textOf(again)).toBe(reply)
    }
  })

  test('passes a stream unbuffered: the first frame arrives before the last is written', async () => {
    const open = closeGate('proxy')
    const answer = await call('/probe/stream', { method: 'POST', body: '{"frames":1,"wait":"proxy"}' })
    expect(answer.headers['content-type']).toContain('text/event-stream')
    const words = answer.setEncoding('utf8')[Symbol.asyncIterator]()
    let text = ''
    while (!text.includes('xxxxx')) text += (await words.next()).value
    expect(text).not.toContain('done')
    open()
    for (let next = await words.next(); !next.done; next = await words.next()) text += next.value
    expect(text).toContain('"done":true')
  })

  test('ignores the X-Forwarded-For header of a client', async () => {
    await textOf(
      await call('/auth/dev-login', {
        method: 'POST',
        body: '{',
        headers: { 'x-forwarded-for': '198.51.100.7' },
      }),
    )
    const counted = await first.sql.rows`select distinct address from rate_windows where bucket = 'auth'`
    expect(counted).toEqual([{ address: '127.0.0.1' }])
  })

  test('hides metrics and redirects plain HTTP to TLS', async () => {
    expect((await call('/metrics', { headers: { authorization: 'Bearer numbers' } })).statusCode).toBe(404)
    const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/app`, {
      redirect: 'manual',
      headers: { host: 'cowrie.example' },
    })
    expect(plain.status).toBe(308)
    expect(plain.headers.get('location')).toMatch(/^https:\/\/.*\/app$/)
  })

  test('does not send a request to the other replica after one may have started it', async () => {
    const fakeReplicas = await Promise.all([startFakeReplica(), startFakeReplica()])
    const [one = '', two = ''] = fakeReplicas.map(({ address }) => address)
    const between = await startProxy(mkdtempSync(join(folder, 'hang-up-')), [one, two])
    try {
      for (const replica of fakeReplicas) replica.received.length = 0
      const answer = await send(between.port, { method: 'POST', path: '/agent/run', body: '{}' })
      expect(answer.statusCode).toBe(502)
      expect(JSON.parse(await textOf(answer)).code).toBe('outcome_unknown')
      const received = fakeReplicas.flatMap((replica) => replica.received)
      expect(received.filter((line) => line.startsWith('POST /agent/run'))).toHaveLength(1)
    } finally {
      await between.stop()
      for (const { server } of fakeReplicas) server.close()
    }
  })

  test('skips a stopping replica without an error, and returns 503 when both have stopped', async () => {
    await replicas[1]?.service.engine.close()
    for (let i = 0; i < 20; i++) expect((await call('/me')).statusCode).toBe(200)
    await replicas[0]?.service.engine.close()
    const answer = await call('/me')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    expect(JSON.parse(await textOf(answer)).code).toBe('busy')
  })
}

/** Answers health checks; reads every other request and closes the connection without an answer. */
async function startFakeReplica(): Promise<{ address: string; received: string[]; server: Server }> {
  const received: string[] = []
  const server = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data) => {
      const line = data.toString('latin1').split('\r\n')[0] ?? ''
      received.push(line)
      const isCheck = line.startsWith('GET /readyz') || line.startsWith('GET /health')
      socket.end(isCheck ? 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' : '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { address: `127.0.0.1:${address.port}`, received, server }
}
