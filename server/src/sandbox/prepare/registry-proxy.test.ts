import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parseRegistries } from '../../platform/environment/registries.ts'
import { openRegistryProxy, type RegistryProxy } from './registry-proxy.ts'

let upstream: Server
let port: number
const seen: string[] = []
beforeAll(async () => {
  upstream = createServer((message, response) => {
    seen.push(`${message.method} ${message.url} ${message.headers['proxy-authorization']}`)
    if (message.url === '/broken') response.writeHead(503)
    response.end(message.url === '/large' ? 'x'.repeat(200_000) : 'hello')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => upstream.once('listening', resolve))
  port = (upstream.address() as AddressInfo).port
})
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
})

let folder: string
let descriptor: number
let socketPath: string
let proxy: RegistryProxy
let isStopped = false
async function open(registries: string, bytesMax = 100_000): Promise<void> {
  // Longer than the path of a socket may be.
  folder = join(mkdtempSync(join(tmpdir(), 'cowrie-proxy-')), 'x'.repeat(120))
  isStopped = false
  const onTooMuch = () => {
    isStopped = true
  }
  proxy = await openRegistryProxy({
    registries: parseRegistries(registries) ?? [],
    folder,
    user: null,
    bytesMax,
    onTooMuch,
  })
  descriptor = openSync(folder, 'r')
  socketPath = `/proc/self/fd/${descriptor}/proxy.sock`
}
afterEach(async () => {
  await proxy.close()
  closeSync(descriptor)
  rmSync(join(folder, '..'), { recursive: true })
})

function get(url: string, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: url, method }, (answer) => {
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

function tunnel(target: string, send: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n${send}`)
  })
}
const HELLO = 'GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

test('a listed registry is reached by both forms, without our headers', async () => {
  await open(`npm=http://127.0.0.1:${port}`)
  expect(await get(`http://127.0.0.1:${port}/a`)).toBe('200 hello')
  expect(seen.at(-1)).toBe('GET /a undefined')
  expect(await tunnel(`127.0.0.1:${port}`, HELLO)).toMatch(/^HTTP\/1\.1 200 Conn[\s\S]*hello$/)
  expect(proxy.refused()).toEqual([])
})

test.for<[name: string, target: () => string]>([
  ['another port', () => `127.0.0.1:${port + 1}`],
  ['the metadata service', () => '169.254.169.254:80'],
  ['another host', () => 'example.com:443'],
  ['a neighbouring address', () => `127.0.0.2:${port}`],
  ['no port', () => '127.0.0.1'],
])('%s is refused by name', async ([, target]) => {
  await open(`127.0.0.1:${port}`)
  expect(await tunnel(target(), HELLO)).toMatch(/^HTTP\/1\.1 403 /)
  expect(await get(`http://${target()}/a`)).toMatch(/^403 /)
  expect(proxy.hasForeignHost()).toBe(true)
  expect(proxy.refused().join()).toContain('not in SERVICE_SANDBOX_REGISTRIES')
})

test('only reading is allowed, and only through a proxy request', async () => {
  await open(`127.0.0.1:${port}`)
  const before = seen.length
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await get(`http://127.0.0.1:${port}/a`, method)).toMatch(/^403 .*only GET and HEAD$/)
  expect(await get('/etc/passwd')).toMatch(/^403 /)
  expect(await get('https://127.0.0.1/a')).toMatch(/^403 /)
  expect(seen.length).toBe(before)
  expect(proxy.hasForeignHost()).toBe(false)
})

test('a name that leads to a private address needs that address on the list', async () => {
  await open(`http://localhost:${port}`)
  expect(await get(`http://localhost:${port}/a`)).toMatch(/^403 .*private address/)
  await proxy.close()
  closeSync(descriptor)
  await open(`http://localhost:${port}, 127.0.0.1:1, [::1]:1`)
  expect(await get(`http://localhost:${port}/a`)).toBe('200 hello')
})

test('a registry that is down, broken or unknown is reported', async () => {
  await open(`127.0.0.1:${port}, 127.0.0.1:1, no-such-name.invalid:80`)
  expect(await get('http://127.0.0.1:1/a')).toMatch(/^502 /)
  expect(await tunnel('no-such-name.invalid:80', '')).toMatch(/^HTTP\/1\.1 502 /)
  expect(await get(`http://127.0.0.1:${port}/broken`)).toMatch(/^503 /)
  expect(proxy.unreachable()).toEqual([
    '127.0.0.1:1',
    'no-such-name.invalid:80',
    `127.0.0.1:${port} answers 503`,
  ])
})

test('bytes are bounded over all connections', async () => {
  await open(`127.0.0.1:${port}`, 100_000)
  expect(await get(`http://127.0.0.1:${port}/a`)).toBe('200 hello')
  await expect(get(`http://127.0.0.1:${port}/large`)).rejects.toThrow()
  expect([isStopped, proxy.isTooMuch()]).toEqual([true, true])
  expect(await get(`http://127.0.0.1:${port}/a`)).toMatch(/^403 /)
})
