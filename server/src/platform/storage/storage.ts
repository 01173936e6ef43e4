// Where files live: a folder of this machine, or a bucket that all replicas share.
import { isAbsolute, join } from 'node:path'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { openFileStorage } from './file-storage.ts'
import { openS3Storage } from './s3-storage.ts'

export type Storage = {
  /**
   * Keeps the bytes under the key, replacing what was there: whole or not at all. More than `maxBytes` (64 MiB unless
   * said otherwise) is refused as `body_too_large`.
   */
  put(key: string, bytes: ByteSource, options: PutOptions): Promise<ObjectDigest>
  /** What is under the key, or null. The caller reads the stream to its end or cancels it. */
  get(key: string): Promise<StoredObject | null>
  /** Removes what is under the key; nothing there is fine too. */
  delete(key: string): Promise<void>
  /** Resolves when files can be kept; rejects with the reason otherwise. */
  check(): Promise<void>
}

export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>
export type PutOptions = { readonly contentType: string; readonly maxBytes?: number }
export type ObjectDigest = { readonly bytes: number; readonly sha256: string }
export type StoredObject = {
  readonly stream: ReadableStream<Uint8Array>
  readonly bytes: number
  readonly contentType: string
}

/**
 * `file:` for `<dataDir>/storage`, `file:///another/folder`, or `s3://bucket?endpoint=…&region=…` with the credentials in
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN.
 */
export function openStorage(
  url: string,
  dataDir: string,
  environment: NodeJS.ProcessEnv = process.env,
): Storage {
  if (url === '' || url === 'file:') return openFileStorage(join(dataDir, 'storage'))
  if (url.startsWith('file:///')) {
    const folder = fileURLToPath(url)
    if (isAbsolute(folder)) return openFileStorage(folder)
  }
  if (url.startsWith('s3://')) return openS3Storage(url, environment)
  throw new Error('the storage address must be file:, file:///folder or s3://bucket?endpoint=…&region=…')
}
