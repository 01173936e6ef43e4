// A published document: printed once, compressed once, and served with an ETag.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { acceptedEncoding, compressOnce, type Encoding } from '../reply/content-encoding.ts'

type Published = {
  body: Buffer
  /** Weak, because the same document comes in several encodings. */
  etag: string
  compressed: Map<Encoding, Promise<Buffer>>
}

export type Copy = { etag: string; encoding: Encoding | null; isUnchanged: boolean; body: Buffer }

/** The text is printed on the first request, so that it does not delay the start. */
export function publish(print: () => string): (headers: IncomingHttpHeaders) => Promise<Copy> {
  let published: Published | undefined

  return async (headers) => {
    published ??= prepare(print())
    const { body, etag, compressed } = published
    const encoding = acceptedEncoding(headers['accept-encoding'])
    if (matches(headers['if-none-match'], etag))
      return { etag, encoding: null, isUnchanged: true, body: Buffer.alloc(0) }
    if (!encoding) return { etag, encoding, isUnchanged: false, body }
    const made = compressed.get(encoding) ?? compressOnce(body, encoding)
    compressed.set(encoding, made)
    // The next request retries a failed compression.
    made.catch(() => compressed.delete(encoding))
    return { etag, encoding, isUnchanged: false, body: await made }
  }
}

function prepare(text: string): Published {
  const body = Buffer.from(text)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { body, etag: `W/"${hash}"`, compressed: new Map() }
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
/** Whether `If-None-Match` contains this ETag, by weak comparison. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag)) ?? false
