// A prepared response is the same on the wire as one that Node formats.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptsPreparedHead, standingHeaders, writeResponse } from './write-response.ts'

const STANDING = { 'x-service-version': '1.0+abc', 'cache-control': 'no-store' }
const LINES = [
  'x-request-id',
  'req_1',
  'set-cookie',
  'a=1',
  'set-cookie',
  'b=2',
  'content-type',
  'text/plain',
]

let server: Server
beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const [, way = '', status = '', body = ''] = request.url?.split('/') ?? []
    const text = decodeURIComponent(body)
    if (way === 'ours') return writeResponse(response, Number(status), standingHeaders(STANDING), LINES, text)
    const length = ['content-length', String(Buffer.byteLength(text))]
    response.writeHead(Number(status), [...Object.entries(STANDING).flat(), ...LINES, ...length]).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** The bytes that answer two equal requests on one connection, without the date. */
async function exchange(way: string, request: (path: string) => string, path: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const last = 'GET /node/200/end HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
  socket.write(`${request(`/${way}/${path}`)}${request(`/${way}/${path}`)}${last}`)
  let text = ''
  for await (const chunk of socket) text += chunk.toString('utf8')
  return text.replace(/\r\nDate: [^\r]*GMT/g, '\r\nDate: …')
}

const head =
  (method: string, version = '1.1', ...headers: string[]) =>
  (path: string) =>
    `${[`${method} ${path} HTTP/${version}`, 'host: a', ...headers].join('\r\n')}\r\n\r\n`

test.for([
  ['a reply', head('GET'), '200/some text'],
  ['another status', head('GET'), '201/created'],
  ['an empty body', head('GET'), '200/'],
  ['text beyond ASCII', head('GET'), `200/${encodeURIComponent('₦ 120 é 日本')}`],
  ['a HEAD request', head('HEAD'), '200/left out'],
  ['HTTP/1.0', head('GET', '1.0'), '200/old'],
  ['HTTP/1.0 that keeps the connection', head('GET', '1.0', 'connection: keep-alive'), '200/old'],
  ['a client that closes', head('GET', '1.1', 'connection: close'), '200/last'],
  ['a client that expects 100', head('POST', '1.1', 'expect: 100-continue', 'content-length: 0'), '200/go'],
  ['a status without a body', head('GET'), '204/'],
] as const)('%s', async ([, request, path]) => {
  const body = path.replaceAll(' ', '%20')
  expect(await exchange('ours', request, body)).toBe(await exchange('node', request, body))
})

test('this version of Node accepts a prepared head', () => {
  expect(acceptsPreparedHead()).toBe(true)
})
