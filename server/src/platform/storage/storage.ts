// Where files live: a folder of this machine, or a bucket that all replicas share.
import type { ReadableStream } from 'node:stream/web'

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
