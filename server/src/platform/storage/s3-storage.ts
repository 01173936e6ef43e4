// Storage in a bucket of any S3-compatible server, with path-style URLs.
import { Buffer } from 'node:buffer'
import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'
import { BYTES_MAX_DEFAULT, ByteCounter, inChunks, readContentType, readKey } from './object.ts'
import { createSender, type S3Response, type S3Timeouts, type Sender } from './s3-request.ts'
import type { ByteSource, ListedObject, ObjectDigest, Storage } from './storage.ts'

export function openS3Storage(url: string, environment: NodeJS.ProcessEnv, times?: S3Timeouts): Storage {
  const { bucketUrl, send } = connect(url, environment, times)
  const urlOf = (key: string): string => `${bucketUrl}/${readKey(key).join('/')}`

  return {
    async put(key, bytes, { contentType, maxBytes }) {
      const target = urlOf(key)
      const type = readContentType(contentType)
      return withBody(bytes, maxBytes, async (body, stored) => {
        const headers = { 'content-type': type, 'x-amz-content-sha256': stored.sha256 }
        expectStatus(await send({ method: 'PUT', url: target, headers, body, bytes: stored.bytes }), [200])
        return stored
      })
    },

    async get(key) {
      const answer = await send({ method: 'GET', url: urlOf(key) })
      if (answer.status === 404 && answer.code !== 'NoSuchBucket') return null
      expectStatus(answer, [200])
      const { stream, headers } = answer
      const bytes = Number(headers.get('content-length') ?? Number.NaN)
      if (!Number.isSafeInteger(bytes)) throw new Error('The storage server sent no content length.')
      return { stream, bytes, contentType: headers.get('content-type') ?? 'application/octet-stream' }
    },

    async delete(key) {
      const answer = await send({ method: 'DELETE', url: urlOf(key) })
      if (answer.code !== 'NoSuchKey') expectStatus(answer, [200, 204])
    },

    async *list() {
      for (let next: string | null = ''; next !== null; ) {
        const query: string = next && `&continuation-token=${encodeURIComponent(next)}`
        const answer = await send({ method: 'GET', url: `${bucketUrl}?list-type=2${query}` })
        expectStatus(answer, [200])
        const page = readListing(await text(answer.stream))
        yield* page.objects
        next = page.next
      }
    },

    async check() {
      expectStatus(await send({ method: 'HEAD', url: bucketUrl }), [200])
    },
  }
}

function connect(
  url: string,
  environment: NodeJS.ProcessEnv,
  times?: S3Timeouts,
): { bucketUrl: string; send: Sender } {
  const { hostname: bucket, pathname, searchParams } = new URL(url)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !['', '/'].includes(pathname))
    throw new Error('SERVICE_STORAGE_URL must name a bucket without a path.')
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment
  if (!accessKeyId || !secretAccessKey)
    throw new Error('S3 storage requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')

  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = new URL(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  if (!['http:', 'https:'].includes(endpoint.protocol))
    throw new Error('The endpoint in SERVICE_STORAGE_URL must be http or https.')
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region,
    ...(sessionToken ? { sessionToken } : {}),
  })
  return { bucketUrl: `${endpoint.href.replace(/\/+$/, '')}/${bucket}`, send: createSender(client, times) }
}

function expectStatus({ status, code }: S3Response, expected: readonly number[]): void {
  if (!expected.includes(status))
    throw new Error(`The storage server answered ${status}${code ? ` ${code}` : ''}.`)
}

/** Reads the answer to ListObjectsV2. */
function readListing(xml: string): { objects: ListedObject[]; next: string | null } {
  if (!xml.includes('<ListBucketResult')) throw new Error('The storage server sent no list of objects.')
  const field = (name: string, from: string): string =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(from)?.[1] ?? ''
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: unescapeXml(field('Key', entry)),
    storedAt: new Date(field('LastModified', entry)),
  }))
  const next = unescapeXml(field('NextContinuationToken', xml))
  if (field('IsTruncated', xml) !== 'true') return { objects, next: null }
  if (next === '') throw new Error('The storage server sent an incomplete list of objects.')
  return { objects, next }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (escaped: string): string =>
  escaped.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    name ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(hex ? `0x${hex}` : decimal)),
  )

/**
 * Runs `use` with a body that can be sent again after a failure. The signature needs length and digest first, so a stream is
 * buffered in a temporary file, not in memory.
 */
async function withBody<T>(
  bytes: ByteSource,
  maxBytes = BYTES_MAX_DEFAULT,
  use: (body: Blob | Buffer, stored: ObjectDigest) => Promise<T>,
): Promise<T> {
  const meter = new ByteCounter(maxBytes)
  if (bytes instanceof Uint8Array) {
    for await (const piece of inChunks(bytes)) meter.add(piece)
    return use(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), meter.result())
  }
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-upload-'))
  try {
    const path = join(folder, 'body')
    const handle = await open(path, 'wx', 0o600)
    try {
      for await (const piece of bytes) {
        meter.add(piece)
        await handle.appendFile(piece)
      }
    } finally {
      await handle.close()
    }
    return await use(await openAsBlob(path), meter.result())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
