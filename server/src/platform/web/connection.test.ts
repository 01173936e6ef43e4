// Names that resolve to private addresses, as an attacker would configure them. A listener counts the connections.
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import {
  handTimer,
  listener,
  nowhere,
  openTestWeb,
  refusal,
  site,
  USER_AGENT,
  unending,
} from '@cowrie/testkit/platform/web.ts'
import { expect, onTestFinished, test } from 'vitest'
import { matchesAddress } from './connection.ts'
import { resolveWith } from './resolve-host.ts'

const stranger = { allow: [], userAgent: USER_AGENT }

/** A listener on a port that is allowed, so that only the address check protects it. */
async function canary() {
  const visits = { count: 0 }
  const port = await listener((socket) => {
    visits.count++
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nsecret'
    socket.once('data', () => socket.end(answer))
  })
  return { visits, port, ports: new Set([80, 443, port]) }
}

test.for([
  ['loopback', ['127.0.0.1']],
  ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
  ['IPv6 loopback', ['::1']],
  ['everything', ['0.0.0.0']],
  ['the cloud metadata address', ['169.254.169.254']],
  ['a public address and loopback', ['93.184.215.14', '127.0.0.1']],
  ['loopback and a public address', ['127.0.0.1', '93.184.215.14']],
  ['a public address and a private IPv6 address', ['93.184.215.14', 'fd00::1']],
  ['many public addresses and loopback last', [...Array(8).fill('93.184.215.14'), '127.0.0.1']],
])('rejects a name that resolves to %s without connecting', async ([, addresses]) => {
  const { visits, port, ports } = await canary()
  const fetchPage = openTestWeb({ ports, resolve: async () => [addresses].flat() })
  expect(await refusal(fetchPage(`http://rebind.example:${port}/`, stranger, unending()))).toBe(
    'private_address',
  )
  expect(visits.count).toBe(0)
})

test('resolves a name once and connects only to the first answer, so that a rebound name is not reached', async () => {
  const { visits, port, ports } = await canary()
  const queried: string[] = []
  const dialled: unknown[] = []
  const fetchPage = openTestWeb({
    ports,
    resolve: async ({ host }) => (queried.push(host) === 1 ? ['93.184.215.14'] : ['127.0.0.1']),
    dial: ({ host = '', lookup }) => {
      lookup?.(host, { all: true }, (_, answers) => dialled.push(answers))
      return nowhere()
    },
  })
  expect(await refusal(fetchPage(`http://rebind.example:${port}/`, stranger, unending()))).toBe('unreachable')
  expect(queried.length).toBe(1)
  expect(dialled).toEqual([[{ address: '93.184.215.14', family: 4 }]])
  expect(visits.count).toBe(0)
})

test('closes a connection that reached another address before sending anything', async () => {
  const heard: Buffer[] = []
  const elsewhere = await listener((socket) => socket.on('data', (bytes) => heard.push(bytes)))
  const fetchPage = openTestWeb({
    resolve: async () => ['93.184.215.14'],
    dial: () => connect({ host: '127.0.0.1', port: elsewhere }),
  })
  for (const address of ['http://moved.example/', 'https://secure.example/'])
    expect(await refusal(fetchPage(address, stranger, unending()))).toBe('private_address')
  expect(heard).toEqual([])
})

test('the same listener is reached when its host is allowlisted', async () => {
  const { visits, port, ports } = await canary()
  const fetchPage = openTestWeb({ ports, resolve: async () => ['127.0.0.1'] })
  const rules = { allow: [`rebind.example:${port}`], userAgent: USER_AGENT }
  // It gives the same response to every path, so its robots.txt contains no rules.
  await fetchPage(`http://rebind.example:${port}/`, rules, unending())
  expect(visits.count).toBe(2)
})

test('waits for the turn of a public host before resolving its name', async () => {
  const timer = handTimer()
  const askedAt: number[] = []
  const resolve = async () => {
    askedAt.push(timer.now())
    return ['10.0.0.1']
  }
  const fetchPage = openTestWeb({ timer, resolve })
  const fetching = (path: string) => refusal(fetchPage(`https://slow.example/${path}`, stranger, unending()))
  expect(await fetching('a')).toBe('private_address')
  const second = fetching('b')
  await timer.pass(2_000)
  expect(await second).toBe('private_address')
  expect(askedAt).toEqual([0, 1_000])
})

test('a page that waits too long for its turn times out', async () => {
  const timer = handTimer()
  const fetchPage = openTestWeb({ timer, limits: { queueMs: 30 }, resolve: async () => ['10.0.0.1'] })
  const fetching = () => refusal(fetchPage('https://slow.example/', stranger, unending()))
  await fetching()
  expect(await fetching()).toBe('timeout')
})

test('an unknown name is unreachable, and a silent name server is a timeout', async () => {
  const unknown = openTestWeb({ resolve: async () => [] })
  expect(await refusal(unknown('https://unknown.example/', stranger, unending()))).toBe('unreachable')
  const silent = openTestWeb({ resolve: () => new Promise(() => undefined), limits: { connectMs: 30 } })
  expect(await refusal(silent('https://silent.example/', stranger, unending()))).toBe('timeout')
})

test('sends the host name in the request and in the TLS handshake while connecting to the resolved address', async () => {
  const { port, rules } = await site((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(request.headers.host)
  })
  const own = { ...rules, allow: [`site.example:${port}`] }
  const fetchPage = openTestWeb({ resolve: async () => ['127.0.0.1'] })
  const page = await fetchPage(`http://site.example:${port}/`, own, unending())
  expect(Buffer.from(page.bytes).toString()).toBe(`site.example:${port}`)

  const hellos: Buffer[] = []
  const tls = await listener((socket) => socket.on('data', (hello) => socket.end(void hellos.push(hello))))
  const secure = fetchPage(
    `https://site.example:${tls}/`,
    { ...own, allow: [`site.example:${tls}`] },
    unending(),
  )
  expect(await refusal(secure)).toBe('unreachable')
  expect(hellos[0]?.includes('site.example')).toBe(true)
})

test('compares the remote address in any notation', () => {
  expect(matchesAddress('93.184.215.14', ['93.184.215.14'])).toBe(true)
  expect(matchesAddress('::ffff:93.184.215.14', ['1.1.1.1', '93.184.215.14'])).toBe(true)
  expect(matchesAddress('2606:4700::1111', ['2606:4700:0:0::1111'])).toBe(true)
  expect(matchesAddress('127.0.0.1', ['93.184.215.14'])).toBe(false)
  expect(matchesAddress(undefined, ['93.184.215.14'])).toBe(false)
})

test('queries both address families, and cancels on abort', async () => {
  const queried: number[] = []
  const server = createSocket('udp4', (question, from) => {
    // The name ends at the first zero byte. The bytes after the query type are not needed.
    const end = question.indexOf(0, 12)
    const kind = question.readUInt16BE(end + 1)
    queried.push(kind)
    if (question.includes('silent')) return
    const address = kind === 1 ? Buffer.from([93, 184, 215, 14]) : null
    const head = Buffer.from([
      question[0] ?? 0,
      question[1] ?? 0,
      0x81,
      0x80,
      0,
      1,
      0,
      address ? 1 : 0,
      0,
      0,
      0,
      0,
    ])
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4])
    const parts = [head, question.subarray(12, end + 5), ...(address ? [answer, address] : [])]
    server.send(Buffer.concat(parts), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const resolver = new Resolver({ timeout: 30_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  expect(await resolveWith(resolver, 'site.example', unending())).toEqual(['93.184.215.14'])
  expect(queried.sort((a, b) => a - b)).toEqual([1, 28])

  const stop = new AbortController()
  const silent = resolveWith(resolver, 'silent.example', stop.signal)
  await expect.poll(() => queried.length).toBe(4)
  stop.abort()
  expect(await silent).toEqual([])
})
