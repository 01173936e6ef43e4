import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sendChunks } from './download.ts'

test('a download that is cut off ends, even while its source is silent', async () => {
  async function* silent() {
    yield 'the beginning'
    await new Promise(() => undefined)
  }
  const cut = new AbortController()
  const sent = Promise.withResolvers<object>()
  const server = createServer((_, response) => sent.resolve(sendChunks(response, silent(), cut.signal)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'readable')
  const failed = once(response, 'error')
  cut.abort()
  expect(await sent.promise).toEqual({})
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }])
  expect(response.complete).toBe(false)
  server.close()
}, 30_000)
