// Object storage: a folder of this machine, or a bucket that all replicas share.
import type { ReadableStream } from 'node:stream/web'

export type Storage = {
  /**
   * Stores the bytes under the key and replaces an existing object atomically. Fails with `body_too_large` over `maxBytes`
   * (default 64 MiB).
   */
  put(key: string, bytes: ByteSource, options: PutOptions): Promise<ObjectDigest>
  /** The object, or null. The caller must read the stream to its end or cancel it. */
  get(key: string): Promise<StoredObject | null>
  /** Deletes the object. Succeeds when it does not exist. */
  delete(key: string): Promise<void>
  /** All objects, in no particular order. */
  list(): AsyncIterable<ListedObject>
  /** Resolves when objects can be stored; rejects with the reason otherwise. */
  check(): Promise<void>
}

export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>
export type PutOptions = { readonly contentType: string; readonly maxBytes?: number }
export type ObjectDigest = { readonly bytes: number; readonly sha256: string }
export type ListedObject = { readonly key: string; readonly storedAt: Date }
export type StoredObject = {
  readonly stream: ReadableStream<Uint8Array>
  readonly bytes: number
  readonly contentType: string
}
