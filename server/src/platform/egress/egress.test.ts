// Which configured addresses are allowed, and the limits of a response.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EgressError, fetchExternal, findAddressProblem, findHostProblem } from './egress.ts'

const production = { loopbackAllowed: false }
const development = { loopbackAllowed: true }

describe('an address', () => {
  test.for([
    'https://idp.example.com',
    'https://idp.example.com:8443/realms/one',
    'https://idp.example.com:443',
    'https://idp.example.com:80',
    'https://idp.example.com:3000',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s is allowed everywhere', (address) => {
    expect(findAddressProblem(address, production)).toBeNull()
    expect(findAddressProblem(address, development)).toBeNull()
  })

  test.for([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.8.8.8',
    'https://localhost',
    'http://[::1]:80',
  ])('%s is allowed only outside production', (address) => {
    expect(findAddressProblem(address, production)).not.toBeNull()
    expect(findAddressProblem(address, development)).toBeNull()
  })

  test.for([
    ['http://idp.example.com', 'without TLS'],
    ['http://169.254.169.254/latest', 'cloud metadata'],
    ['https://169.254.169.254', 'cloud metadata with TLS'],
    ['https://2852039166/', 'cloud metadata as one number'],
    ['https://0xa9fea9fe/', 'cloud metadata in hexadecimal'],
    ['https://0251.0376.0251.0376/', 'cloud metadata in octal'],
    ['https://[::ffff:169.254.169.254]/', 'cloud metadata mapped to IPv6'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'cloud metadata translated to IPv6'],
    ['https://[::a9fe:a9fe]/', 'cloud metadata in the obsolete IPv6 form'],
    ['https://[4000::1]/', 'unallocated IPv6'],
    ['https://[fd00:ec2::254]/', 'another cloud'],
    ['https://100.100.100.200/', 'metadata of another cloud'],
    ['https://10.1.2.3', 'a private network'],
    ['https://172.16.0.1', 'a private network'],
    ['https://192.168.1.1', 'a private network'],
    ['https://0.0.0.0', 'everything'],
    ['https://[::]', 'everything'],
    ['https://255.255.255.255', 'everybody'],
    ['https://[fe80::1]', 'a link'],
    ['https://metadata.google.internal', 'an internal name'],
    ['https://printer.local', 'an internal name'],
    ['https://kubernetes', 'an internal name'],
    ['https://idp.example.com:22', 'an SSH port'],
    ['https://8.8.8.8:25/', 'an SMTP port'],
    ['https://idp.example.com:1', 'a privileged port'],
    ['https://idp.example.com:5432', 'a database'],
    ['https://[2606:4700::1111]:6379/', 'another database'],
    ['https://user:pass@idp.example.com', 'credentials'],
    ['ftp://idp.example.com', 'another protocol'],
    ['javascript:alert(1)', 'no place'],
    ['idp.example.com', 'no address'],
    ['', 'nothing'],
  ])('%s is rejected everywhere: %s', ([address]) => {
    expect(findAddressProblem(address ?? '', production)).not.toBeNull()
    expect(findAddressProblem(address ?? '', development)).not.toBeNull()
  })

  test('with an unknown name is accepted, because it may be registered later', async () => {
    expect(await findHostProblem('https://idp.invalid', production)).toBeNull()
  })
})

describe('a request', () => {
  const get = { method: 'GET', headers: {} }

  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.closeAllConnections())
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const failure = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => null,
      (error: unknown) => (error instanceof EgressError ? error.kind : error),
    )

  test('returns status, type and body, and sends its headers and body', async () => {
    const address = await listen(async (request, response) => {
      const chunks = await Array.fromAsync(request)
      response.writeHead(201, { 'content-type': 'text/plain', 'set-cookie': 'a=b' })
      response.end(`${request.method} ${Buffer.concat(chunks)}`)
    })
    const body = new URLSearchParams({ code: 'x y' })
    const response = await fetchExternal(address, { method: 'POST', headers: {}, body }, development)
    expect(response.status).toBe(201)
    expect(await response.text()).toBe('POST code=x+y')
    expect([...response.headers.keys()]).toEqual(['content-type', 'date'])
  })

  test('does not reach this machine in production, by address or by name', async () => {
    let visits = 0
    const address = await listen((_, response) => {
      visits++
      response.end()
    })
    expect(await failure(fetchExternal(address, get, production))).toBe('refused')
    expect(await failure(fetchExternal(address.replace('127.0.0.1', 'localhost'), get, production))).toBe(
      'refused',
    )
    expect(visits).toBe(0)
  })

  test('to a slow server times out, also when the response trickles', async () => {
    const silent = await listen(() => undefined)
    const rules = { loopbackAllowed: true, timeoutMs: 200 }
    expect(await failure(fetchExternal(silent, get, rules))).toBe('unreachable')
    const trickling = await listen((_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await failure(fetchExternal(trickling, get, rules))).toBe('unreachable')
  })

  test('reads at most 1 MiB', async () => {
    const sized = (bytes: number) => listen((_, response) => void response.end('x'.repeat(bytes)))
    const whole = await fetchExternal(await sized(2 ** 20), get, development)
    expect((await whole.text()).length).toBe(2 ** 20)
    expect(await failure(fetchExternal(await sized(2 ** 20 + 1), get, development))).toBe('refused')
  })

  test('can read only the beginning of an endless response', async () => {
    const endless = await listen((_, response) => void response.write('x'.repeat(5_000)))
    const response = await fetchExternal(endless, get, { ...development, truncateAfterBytes: 4_096 })
    expect((await response.text()).length).toBe(4_096)
  })

  test('does not follow redirects', async () => {
    const address = await listen((_, response) => void response.writeHead(302, { location: '/x' }).end())
    const response = await fetchExternal(address, get, development)
    expect(response.status).toBe(302)
  })

  test('rejects a protocol upgrade', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'
    const address = await listen(({ socket }) => void socket.write(head))
    expect(await failure(fetchExternal(address, get, development))).toBe('refused')
  })

  test('to a closed port is unreachable', async () => {
    expect(await failure(fetchExternal('http://127.0.0.1:1/', get, development))).toBe('unreachable')
  })
})
