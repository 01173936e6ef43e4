// A text that the service publishes about itself: printed once, compressed once, and fetched again only when it changed.
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

/** Makes copies for clients. The text is printed for the first of them: a start does not wait for it. */
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
    // The next client tries again.
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
/** Whether `If-None-Match` names this copy. The comparison is weak, as it is for every such header. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag)) ?? false
