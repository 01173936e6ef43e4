// The packets of event streams, over real connections.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenEventStream, openEventStream } from './sse.ts'
import { streamFormatOf } from './stream-format.ts'

let server: Server
let client: Socket
let onOpen: (stream: OpenEventStream) => void
beforeEach(async () => {
  server = createServer((request, response) => {
    onOpen(openEventStream(response, {}, streamFormatOf(request.url ?? '', request.headers)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  client.destroy()
  server.close()
})

async function firstPacket(): Promise<string> {
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [packet] = await once(client, 'data')
  return String(packet)
}

test('a frame of the same turn is sent with the headers', async () => {
  onOpen = (stream) => void stream.sendRaw('data: first\n\n')
  expect(await firstPacket()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nd\r\ndata: first\n\n\r\n$/)
})

test('the headers do not wait for a frame', async () => {
  onOpen = () => undefined
  expect(await firstPacket()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/)
})
