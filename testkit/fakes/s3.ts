// A local S3 server that checks signatures, and helpers to read and write.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Storage } from '@cowrie/server/src/platform/storage/storage.ts'

type S3Server = {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  httpServer: { closeAllConnections(): void }
}

export const BUCKET = 'cowrie-test'
export const environment = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export async function startS3(directory: string): Promise<{ url: string; close(): Promise<void> }> {
  const S3Server = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server
  const server = new S3Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  return {
    url: `s3://${BUCKET}?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    async close() {
      server.httpServer.closeAllConnections()
      await server.close()
    },
  }
}

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const text = (value: string): Uint8Array => new TextEncoder().encode(value)

export async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function read(storage: Storage, key: string) {
  const found = await storage.get(key)
  if (!found) return null
  const { stream, ...rest } = found
  return { ...rest, content: await buffer(stream) }
}
