import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server as SocketServer,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parseRegistries } from '../../platform/environment/registries.ts'
import { openRegistryProxy, type RegistryProxy } from './registry-proxy.ts'

let upstream: Server
let port: number
/** Accepts connections, and answers as the test says. */
let socketServer: SocketServer
let socketPort: number
let answerOf: (request: string) => string | null = () => null
let finished = 0
const seen: string[] = []
beforeAll(async () => {
  upstream = createServer((message, response) => {
    seen.push(`${message.method} ${message.url} ${JSON.stringify(message.headers)}`)
    if (message.url === '/broken') response.writeHead(503)
    if (message.url === '/elsewhere') response.writeHead(302, { location: 'http://169.254.169.254/latest' })
    response.end(message.url === '/large' ? 'x'.repeat(200_000) : 'hello')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => upstream.once('listening', resolve))
  port = (upstream.address() as AddressInfo).port
  socketServer = createSocketServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('finish', () => {
      finished++
    })
    socket.on('data', (chunk) => {
      const answer = answerOf(chunk.toString())
      if (answer !== null) socket.end(answer)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => socketServer.once('listening', resolve))
  socketPort = (socketServer.address() as AddressInfo).port
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
  socketServer.close()
})

let folder: string
let descriptor: number
let socketPath: string
let proxy: RegistryProxy
let isStopped = false
type Options = { readonly bytesMax?: number; readonly silenceMs?: number }
async function open(registries: string, { bytesMax = 1_000_000, ...options }: Options = {}): Promise<void> {
  // Longer than the path of a socket may be.
  folder = join(mkdtempSync(join(tmpdir(), 'cowrie-proxy-')), 'x'.repeat(120))
  isStopped = false
  const onGiveUp = () => {
    isStopped = true
  }
  const list = parseRegistries(registries) ?? []
  proxy = await openRegistryProxy({ registries: list, folder, user: null, bytesMax, onGiveUp, ...options })
  descriptor = openSync(folder, 'r')
  socketPath = `/proc/self/fd/${descriptor}/proxy.sock`
}
async function close(): Promise<void> {
  await proxy.close()
  closeSync(descriptor)
  rmSync(join(folder, '..'), { recursive: true })
}
afterEach(close)

function get(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: url, method, headers }, (answer) => {
      let text = `${answer.statusCode} `
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.setHeader('proxy-authorization', 'secret')
    call.end()
  })
}

/** Sends bytes as they are, and returns all that comes back. */
function talk(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })
}
const tunnel = (target: string, send: string) =>
  talk(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n${send}`)
const HELLO = 'GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

test('a listed registry is reached by both forms, without headers for proxies', async () => {
  await open(`npm=http://127.0.0.1:${port}`)
  expect(await get(`http://127.0.0.1:${port}/a`)).toBe('200 hello')
  expect(seen.at(-1)).toMatch(/^GET \/a /)
  expect(seen.at(-1)).not.toContain('secret')
  expect(await tunnel(`127.0.0.1:${port}`, HELLO)).toMatch(/^HTTP\/1\.1 200 Conn[\s\S]*hello$/)
  expect(proxy.record.refused()).toEqual([])
})

test.for<[name: string, target: () => string]>([
  ['another port', () => `127.0.0.1:${port + 1}`],
  ['the metadata service', () => '169.254.169.254:80'],
  ['the metadata service, version 6', () => '[fd00:ec2::254]:80'],
  ['another host', () => 'example.com:443'],
  ['a neighbouring address', () => `127.0.0.2:${port}`],
  ['another spelling of an address', () => `127.1:${port}`],
  ['an address in another version', () => `[::ffff:127.0.0.1]:${port}`],
  ['a name for a listed address', () => `localhost:${port}`],
  ['a listed host below another one', () => `127.0.0.1.example.com:${port}`],
  ['no port', () => '127.0.0.1'],
  ['no host', () => `:${port}`],
])('%s is refused by name', async ([, target]) => {
  await open(`127.0.0.1:${port}`)
  const before = seen.length
  expect(await tunnel(target(), HELLO)).toBe('')
  if (!/^127\.1:|^:/.test(target())) expect(await get(`http://${target()}/a`)).toMatch(/^403 /)
  expect(seen.length).toBe(before)
  expect(proxy.record.hasForeignHost()).toBe(true)
  expect(proxy.record.refused().join()).toContain('not in SERVICE_SANDBOX_REGISTRIES')
})

test('only reading is allowed, and only through a proxy request', async () => {
  await open(`127.0.0.1:${port}`)
  const before = seen.length
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await get(`http://127.0.0.1:${port}/a`, method)).toMatch(/^403 .*only GET and HEAD$/)
  expect(await get('/etc/passwd')).toMatch(/^403 /)
  expect(await get('https://127.0.0.1/a')).toMatch(/^403 /)
  expect(await get('file:///etc/passwd')).toMatch(/^403 /)
  expect(seen.length).toBe(before)
  expect(proxy.record.hasForeignHost()).toBe(false)
})

test('a request cannot carry a second one, and its own connection is closed', async () => {
  await open(`127.0.0.1:${port}`)
  const before = seen.length
  const hidden = `POST /hidden HTTP/1.1\r\nhost: x\r\n\r\n`
  const start = `GET http://127.0.0.1:${port}/a HTTP/1.1\r\nhost: x\r\n`
  const texts = [
    `${start}content-length: ${hidden.length}\r\nconnection: close\r\n\r\n${hidden}`,
    `${start}content-length: 0\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}transfer-encoding : chunked\r\nconnection: close\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}x: y\nz: \0\r\nconnection: close\r\n\r\n`,
  ]
  for (const text of texts) await talk(text)
  const reached = seen.slice(before)
  expect(reached.filter((line) => !line.startsWith('GET /a '))).toEqual([])
  for (const line of reached) expect(line).not.toMatch(/content-length|transfer-encoding/)
  for (const line of reached) expect(line).toContain('"connection":"close"')
})

test('large headers of both sides and broken answers end their connection only', async () => {
  await open(`127.0.0.1:${port}, 127.0.0.1:${socketPort}`)
  const long = 'x'.repeat(100_000)
  expect(await talk(`GET http://127.0.0.1:${port}/a HTTP/1.1\r\nx: ${long}\r\n\r\n`)).toBe('')
  expect(await talk(`CONNECT ${long}:443 HTTP/1.1\r\n\r\n`)).toBe('')
  const answers = [`HTTP/1.1 200 OK\r\nx: ${long}\r\n\r\n`, 'nonsense', 'HTTP/1.1 200 OK\r\n\0: x\r\n\r\n']
  for (const answer of answers) {
    answerOf = () => answer
    expect(await get(`http://127.0.0.1:${socketPort}/a`)).toBe('502 the registry does not answer')
  }
  expect(await get(`http://127.0.0.1:${port}/a`)).toBe('200 hello')
})

test('a part of an answer does not look like the whole', async () => {
  await open(`127.0.0.1:${socketPort}`)
  answerOf = () => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'
  await expect(get(`http://127.0.0.1:${socketPort}/a`)).rejects.toThrow()
})

test('a redirect to another host is passed on, and refused when it is followed', async () => {
  await open(`127.0.0.1:${port}`)
  expect(await get(`http://127.0.0.1:${port}/elsewhere`)).toMatch(/^302 /)
  expect(await get('http://169.254.169.254/latest')).toMatch(/^403 /)
})

test('a name that leads to a private address needs that address on the list', async () => {
  await open(`http://localhost:${port}`)
  expect(await get(`http://localhost:${port}/a`)).toMatch(/^403 .*private address/)
  expect(await tunnel(`localhost:${port}`, HELLO)).toBe('')
  expect(proxy.record.unreachable().join()).toContain('private address')
  await close()
  await open(`http://localhost:${port}, 127.0.0.1:1, [::1]:1`)
  expect(await get(`http://localhost:${port}/a`)).toBe('200 hello')
})

test('a registry that is down, broken or unknown is reported, until it answers again', async () => {
  await open(`127.0.0.1:${port}, 127.0.0.1:1, no-such-name.invalid:80`)
  expect(await get('http://127.0.0.1:1/a')).toMatch(/^502 /)
  expect(await tunnel('no-such-name.invalid:80', '')).toBe('')
  expect(await get(`http://127.0.0.1:${port}/broken`)).toMatch(/^503 /)
  expect(proxy.record.unreachable()).toEqual([
    '127.0.0.1:1: no connection',
    'no-such-name.invalid:80: no connection',
    `127.0.0.1:${port}: it answers 503`,
  ])
  await get(`http://127.0.0.1:${port}/a`)
  expect(proxy.record.unreachable()).toHaveLength(2)
})

test('a registry that stalls is reported; one that was not asked may be silent', async () => {
  answerOf = () => null
  await open(`127.0.0.1:${socketPort}`, { silenceMs: 150 })
  const target = `127.0.0.1:${socketPort}`
  const idle = connect(socketPath)
  idle.on('error', () => idle.destroy())
  const idleEnd = new Promise((resolve) => idle.on('close', resolve))
  answerOf = (text) => (text === 'ping' ? 'pong' : null)
  idle.resume().write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\nping`)
  await idleEnd
  expect(proxy.record.unreachable()).toEqual([])
  expect(await tunnel(target, HELLO)).toMatch(/^HTTP\/1\.1 200 Conn/)
  expect(proxy.record.unreachable()).toEqual([`${target}: no answer`])
  expect(await get(`http://${target}/a`)).toMatch(/^502 /)
})

test('bytes are bounded over all connections', async () => {
  await open(`127.0.0.1:${port}`, { bytesMax: 100_000 })
  expect(await get(`http://127.0.0.1:${port}/a`)).toBe('200 hello')
  await expect(get(`http://127.0.0.1:${port}/large`)).rejects.toThrow()
  expect([isStopped, proxy.record.isTooMuch()]).toEqual([true, true])
  expect(await get(`http://127.0.0.1:${port}/a`)).toMatch(/^403 /)
  expect(await tunnel(`127.0.0.1:${port}`, HELLO)).toBe('')
})

test('what a registry sent before it closed reaches a slow client', async () => {
  const long = 'x'.repeat(400_000)
  answerOf = () => long
  finished = 0
  await open(`127.0.0.1:${socketPort}`, { bytesMax: 2_000_000 })
  const socket = connect(socketPath)
  socket.write(`CONNECT 127.0.0.1:${socketPort} HTTP/1.1\r\nhost: x\r\n\r\nhello`)
  await new Promise((resolve) => socket.once('readable', resolve))
  let size = 0
  await expect.poll(() => finished).toBe(1)
  for await (const chunk of socket) size += (chunk as Buffer).length
  expect(size).toBeGreaterThan(long.length)
})
