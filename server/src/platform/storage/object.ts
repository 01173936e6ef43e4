// Shared by both kinds of storage: validation of keys and content types, and counting of bytes.
import { createHash } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'
import type { ObjectDigest } from './storage.ts'

export const BYTES_MAX_DEFAULT = 64 * 1024 * 1024

const KEY_CHARACTERS_MAX = 512
const SEGMENT_CHARACTERS_MAX = 200
const SEGMENT = /^[a-z0-9][a-z0-9._-]*$/
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w!#$&^.+-]+="?[\w!#$&^.+:/-]*"?)*$/
const CONTENT_TYPE_CHARACTERS_MAX = 200

/** Splits a key into its parts. Our code creates keys, so an invalid one is a bug. No part can be a parent or a hidden file. */
export function readKey(key: string): string[] {
  const segments = key.split('/')
  const wellFormed = segments.every(
    (segment) => SEGMENT.test(segment) && segment.length <= SEGMENT_CHARACTERS_MAX && !segment.includes('..'),
  )
  if (key.length > KEY_CHARACTERS_MAX || !wellFormed) throw new Error('The storage key is not well formed.')
  return segments
}

export function readContentType(contentType: string): string {
  if (contentType.length > CONTENT_TYPE_CHARACTERS_MAX || !CONTENT_TYPE.test(contentType))
    throw new Error('The content type is not well formed.')
  return contentType
}

/** Counts and digests a stream of bytes. Fails as soon as the limit is exceeded. */
export class ByteCounter {
  readonly #bytesMax: number
  readonly #hash = createHash('sha256')
  #bytes = 0

  constructor(bytesMax = BYTES_MAX_DEFAULT) {
    this.#bytesMax = bytesMax
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength
    if (this.#bytes > this.#bytesMax) throw new ApiError('body_too_large', { maxBytes: this.#bytesMax })
    this.#hash.update(chunk)
  }

  result(): ObjectDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

const SLICE_BYTES = 1024 * 1024

/** Splits the bytes into chunks, so that digesting one does not block the event loop for long. */
export async function* inChunks(bytes: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (bytes instanceof Uint8Array) {
    for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES)
      yield bytes.subarray(from, from + SLICE_BYTES)
  } else {
    yield* bytes
  }
}
