// Sends a public page: compressed once per distinct text, with an ETag, and never shared between visitors.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Answer, answer } from '../platform/http/answer.ts'
import { negotiate } from '../platform/http/reply/content-encoding.ts'
import { pageHeaders } from '../platform/http/reply/headers.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { matches } from '../platform/http/static/published-document.ts'
import type { Assets } from './facts/assets.ts'

const PAGES_MAX = 200
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

type Compressed = Partial<Record<'br' | 'gzip', Promise<Buffer>>>
const compressed = new Map<string, Compressed>()

/** The page depends on the choice in cookies and on the language of the browser. A browser revalidates its copy. */
export async function sendPage(
  request: RequestInfo,
  { criticalSource }: Assets,
  page: string,
  maxAgeSeconds = 0,
): Promise<Answer> {
  const etag = `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`
  const headers = {
    ...pageHeaders({ style: criticalSource, worker: "'self'" }),
    'cache-control': maxAgeSeconds > 0 ? `private, max-age=${maxAgeSeconds}` : 'private, no-cache',
    vary: 'accept-encoding, accept-language, cookie, save-data',
    etag,
  }
  if (matches(request.headers['if-none-match']?.toString(), etag)) return answer(304, '', headers)
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), ['br', 'gzip'])
  if (!encoding) return answer(200, page, headers)
  return answer(200, await compress(etag, encoding, page), { ...headers, 'content-encoding': encoding })
}

function compress(etag: string, encoding: 'br' | 'gzip', page: string): Promise<Buffer> {
  const known = compressed.get(etag) ?? {}
  if (compressed.size >= PAGES_MAX) compressed.clear()
  compressed.set(etag, known)
  known[encoding] ??= encoding === 'br' ? compressBrotli(page, BROTLI) : compressGzip(page, { level: 9 })
  // The next request retries a failed compression.
  known[encoding]?.catch(() => compressed.delete(etag))
  return known[encoding]
}

const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 11,
  },
}
