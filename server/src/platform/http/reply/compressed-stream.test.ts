// Compressed event streams over real connections.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenEventStream, openEventStream, SLOW_READER_BYTES } from './sse.ts'
import { streamFormatOf } from './stream-format.ts'

let server: Server
let opened: PromiseWithResolvers<OpenEventStream>
const sockets: Socket[] = []
beforeEach(async () => {
  opened = Promise.withResolvers()
  server = createServer((request, response) => {
    const format = streamFormatOf(request.url ?? '', request.headers)
    opened.resolve(openEventStream(response, {}, format, 'gzip'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

const address = () => server.address() as AddressInfo
const frameOf = (n: number, text: string) => `id: ${n}\ndata: ${JSON.stringify({ n, text })}\n\n`

async function openWithFetch() {
  const reply = await fetch(`http://127.0.0.1:${address().port}/tasks/x/stream`)
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  return { reply, reader, stream: await opened.promise }
}

test('each frame arrives when it is sent, and frames that are sent together arrive together', async () => {
  const { reply, reader, stream } = await openWithFetch()
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  for (let n = 1; n <= 5; n++) {
    await stream.sendRaw(frameOf(n, 'the same words'))
    expect((await reader.read()).value).toBe(frameOf(n, 'the same words'))
  }
  await Promise.all([6, 7, 8].map((n) => stream.sendRaw(frameOf(n, 'at once'))))
  expect((await reader.read()).value).toBe([6, 7, 8].map((n) => frameOf(n, 'at once')).join(''))
  stream.cut({ code: 'restarting' })
  expect((await reader.read()).value).toContain('restarting')
  expect((await reader.read()).done).toBe(true)
})

test('a frame larger than all buffers arrives whole', async () => {
  const { reader, stream } = await openWithFetch()
  const large = frameOf(1, Array.from({ length: 60_000 }, (_, i) => `line ${i * 7_919}`).join('\n'))
  const sent = stream.sendRaw(large).then(() => stream.end())
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  await sent
  expect(text).toBe(large)
})

test('repeated fields cost little', async () => {
  const socket = connect(address().port, '127.0.0.1')
  sockets.push(socket)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const stream = await opened.promise
  const frame = (n: number) =>
    `id: ${n}\ndata: ${JSON.stringify({ seq: n, at: new Date(n * 777).toISOString(), turnId: 'trn_01jd2y5m8n4q7r0s3t6v9w2x5z', kind: 'status', status: n % 2 ? 'running' : 'waiting' })}\n\n`
  await new Promise((resolve) => socket.once('data', resolve))
  const before = socket.bytesRead
  for (let n = 1; n <= 50; n++) {
    await stream.sendRaw(frame(n))
    await new Promise((resolve) => socket.once('data', resolve))
  }
  expect((socket.bytesRead - before) / 50).toBeLessThan(frame(10).length / 3)
})

test('a reader that stops reading is cut off before it takes memory', async () => {
  const socket = connect(address().port, '127.0.0.1')
  sockets.push(socket)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const stream = await opened.promise
  // Words that do not compress.
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(12_000))).toString('base64')
  let waiting = 0
  for (let n = 0; n < 3_000 && !stream.closed.aborted; n++) {
    waiting++
    void stream.sendRaw(frameOf(n, noise())).then(() => waiting--)
    if (waiting * 16_000 > 4 * SLOW_READER_BYTES) break
    await new Promise(setImmediate)
  }
  expect(stream.closed.aborted).toBe(true)
})
