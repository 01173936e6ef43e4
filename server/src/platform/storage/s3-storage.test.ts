import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { BUCKET, digest, environment, pieces, startS3, text } from '@cowrie/testkit/fakes/s3.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { openStorage } from './open-storage.ts'
import { openS3Storage } from './s3-storage.ts'

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-storage-'))
  s3 = await startS3(join(folder, 's3'))
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

test('a wrong secret fails every operation with the reason', async () => {
  const wrong = openStorage(s3.url, folder, { ...environment, AWS_SECRET_ACCESS_KEY: 'wrong' })
  const operations = [
    () => wrong.put('forged', text('x'), { contentType: 'text/plain' }),
    () => wrong.get('forged'),
    () => wrong.delete('forged'),
  ]
  for (const operation of operations) await expect(operation()).rejects.toThrow('403 SignatureDoesNotMatch')
  await expect(wrong.check()).rejects.toThrow('403')
  expect(await openStorage(s3.url, folder, environment).get('forged')).toBeNull()
})

test('a missing bucket is an error, not an absent object', async () => {
  const storage = openStorage(s3.url.replace(BUCKET, 'no-such-bucket'), folder, environment)
  await expect(storage.get('a')).rejects.toThrow('404 NoSuchBucket')
  await expect(storage.check()).rejects.toThrow('404')
})

test('a request that fails twice is sent a third time with the whole body', async () => {
  const bodies: number[] = []
  const url = await serve(async (request, response) => {
    bodies.push((await buffer(request)).length)
    if (bodies.length === 1) return request.socket.destroy()
    return response.writeHead(bodies.length === 2 ? 503 : 200).end()
  })
  const storage = openStorage(url, folder, environment)
  const stored = await storage.put('a', pieces(randomBytes(200_000), 5_000), { contentType: 'text/plain' })
  expect(stored.bytes).toBe(200_000)
  expect(bodies).toEqual([200_000, 200_000, 200_000])
})

test('a server that keeps failing is reported as unavailable, with the cause for the log', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests++
    response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
  })
  const failed = openStorage(url, folder, environment).get('a')
  await expect(failed).rejects.toMatchObject({
    code: 'storage_unavailable',
    status: 503,
    cause: { message: expect.stringContaining('500 InternalError') },
  })
  expect(requests).toBe(4)
})

test.for(['at once', 'as a stream'])(
  'content given %s is signed with it: the server can tell when a byte changed',
  async (form) => {
    const bytes = randomBytes(50_000)
    let signed: unknown
    const url = await serve(async (request, response) => {
      const body = await buffer(request)
      signed = [
        request.headers['x-amz-content-sha256'] === digest(body),
        /SignedHeaders=[^,]*x-amz-content-sha256/.test(request.headers.authorization ?? ''),
      ]
      response.writeHead(200).end()
    })
    const given = form === 'at once' ? bytes : pieces(bytes, 7_000)
    await openStorage(url, folder, environment).put('a', given, { contentType: 'text/plain' })
    expect(signed).toEqual([true, true])
  },
)

test('a server that never answers is reported as unavailable', async () => {
  let requests = 0
  const url = await serve(() => void requests++)
  const silent = openS3Storage(url, environment, { answerMs: rounds(400, 1_000), readMs: 250 })
  await expect(silent.get('a')).rejects.toMatchObject({
    code: 'storage_unavailable',
    cause: { message: expect.stringContaining('in time') },
  })
  expect(requests).toBe(4)
})

test('a server that stops sending data fails the reader', async () => {
  const url = await serve(
    (_, response) => void response.writeHead(200, { 'content-length': '1000' }).write('x'.repeat(100)),
  )
  const found = await openS3Storage(url, environment, { answerMs: 5_000, readMs: 100 }).get('a')
  await expect(buffer(present(found, 'the file was found').stream)).rejects.toThrow('stopped sending data')
})

test('a body that ends too early fails the reader', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x'.repeat(100))
    setImmediate(() => response.destroy())
  })
  const found = await openStorage(url, folder, environment).get('a')
  expect(found?.bytes).toBe(1_000)
  await expect(buffer(present(found, 'the file was found').stream)).rejects.toThrow()
})

test('an invalid URL or missing credentials are rejected', () => {
  expect(() => openStorage('s3://bucket', folder, {})).toThrow('AWS_ACCESS_KEY_ID')
  expect(() => openStorage('s3://bucket/folder', folder, environment)).toThrow('bucket')
  expect(() => openStorage('s3://bucket?endpoint=ftp://x', folder, environment)).toThrow('http')
  expect(() => openStorage('ftp://x', folder, environment)).toThrow('SERVICE_STORAGE_URL')
})

async function serve(listener: RequestListener): Promise<string> {
  const faulty = createServer(listener)
  await new Promise<void>((resolve) => faulty.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    faulty.closeAllConnections()
    await new Promise((resolve) => faulty.close(resolve))
  })
  return `s3://${BUCKET}?endpoint=http://127.0.0.1:${(faulty.address() as AddressInfo).port}`
}
