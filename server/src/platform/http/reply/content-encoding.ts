// Compression of responses: negotiation and encoding. See decisions/0051.
import type { IncomingHttpHeaders } from 'node:http'
import * as zlib from 'node:zlib'
import type { ResponseHead } from './headers.ts'

export type Encoding = 'zstd' | 'br' | 'gzip'
type Body = string | Uint8Array
/** `fast` for responses made per request; `small` for bodies that are compressed once and sent often. */
type Effort = 'fast' | 'small'

/** Shorter bodies gain nothing. */
export const COMPRESSED_ABOVE = 1_024
/** A longer body is compressed on another thread. */
const INLINE_MAX = 4_096
/** Concurrent compressions on other threads. Beyond that, responses are sent uncompressed. */
const CONCURRENCY_MAX = 2

const { constants } = zlib
const brotliOptions = (effort: Effort) => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: effort === 'fast' ? 4 : 9,
  },
})
const gzipOptions = (effort: Effort) => ({ level: effort === 'fast' ? 1 : 9 })
const zstdOptions = (effort: Effort) => ({
  params: { [constants.ZSTD_c_compressionLevel]: effort === 'fast' ? 1 : 12 },
})

/** Node.js before 22.15 has no zstd. */
export const HAS_ZSTD = typeof zlib.zstdCompress === 'function'
/** In order of preference: the least CPU time for the same size first. */
const OFFERED: readonly Encoding[] = HAS_ZSTD ? ['zstd', 'br', 'gzip'] : ['br', 'gzip']

const SYNC: Record<Encoding, (body: Body) => Buffer> = {
  zstd: (body) => zlib.zstdCompressSync(body, zstdOptions('fast')),
  br: (body) => zlib.brotliCompressSync(body, brotliOptions('fast')),
  gzip: (body) => zlib.gzipSync(body, gzipOptions('fast')),
}

type Done = (error: Error | null, compressed: Buffer) => void
const ASYNC: Record<Encoding, (body: Body, effort: Effort, done: Done) => void> = {
  zstd: (body, effort, done) => zlib.zstdCompress(body, zstdOptions(effort), done),
  br: (body, effort, done) => zlib.brotliCompress(body, brotliOptions(effort), done),
  gzip: (body, effort, done) => zlib.gzip(body, gzipOptions(effort), done),
}

let running = 0

/** The compressed body; null when the limit of concurrent compressions is reached. */
export function compress(body: Body, encoding: Encoding): Buffer | Promise<Buffer> | null {
  if (body.length <= INLINE_MAX) return SYNC[encoding](body)
  if (running >= CONCURRENCY_MAX) return null
  running++
  return compressOnThread(body, encoding, 'fast').finally(() => {
    running--
  })
}

/** For a body that is cached and sent many times. */
export const compressOnce = (body: Body, encoding: Encoding): Promise<Buffer> =>
  compressOnThread(body, encoding, 'small')

function compressOnThread(body: Body, encoding: Encoding, effort: Effort): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    ASYNC[encoding](body, effort, (error, compressed) => (error ? reject(error) : resolve(compressed)))
  })
}

/** Event streams are compressed elsewhere, frame by frame: see compressed-stream.ts. */
export const isCompressible = (contentType: string): boolean =>
  /^(application\/(.+\+)?(json|xml)|text\/(?!event-stream))/.test(contentType)

/**
 * The encoding of a response; null for none. Compressible responses get `Vary`. A response that sets a cookie is not
 * compressed, because a cookie may be a session. A response with an ETag has chosen its encoding itself.
 */
export function encodingFor(
  { headers }: { headers: IncomingHttpHeaders },
  head: ResponseHead,
  contentType: string,
  body: Body,
): Encoding | null {
  if (body.length <= COMPRESSED_ABOVE || !isCompressible(contentType)) return null
  if (head.has('set-cookie') || head.has('etag')) return null
  head.vary('accept-encoding')
  return acceptedEncoding(headers['accept-encoding'])
}

/** Cached by header, because clients send few different ones. */
const negotiated = new Map<string, Encoding | null>()
const NEGOTIATED_MAX = 200

/** The encoding for this `Accept-Encoding`; null for none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  if (header === undefined) return null
  const text = String(header)
  const known = negotiated.get(text)
  if (known !== undefined) return known
  const encoding = negotiate(text, OFFERED)
  if (negotiated.size >= NEGOTIATED_MAX) negotiated.clear()
  negotiated.set(text, encoding)
  return encoding
}

/** The best of the offered encodings for this `Accept-Encoding`; null for none. Equal weights choose the first. */
export function negotiate<E extends Encoding>(header: string, offered: readonly E[]): E | null {
  const weights = new Map<string, number>()
  for (const member of header.toLowerCase().split(',')) {
    const [, name = '', weight = '1'] = MEMBER.exec(member) ?? []
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  // A client may prefer `identity`. Otherwise it is the fallback.
  let best: E | null = null
  let highest = weights.get('identity') ?? 0
  for (const encoding of offered) {
    const weight = weightOf(encoding)
    if (weight > highest || (weight > 0 && weight === highest && best === null)) {
      best = encoding
      highest = weight
    }
  }
  return best
}

/** `gzip`, `br;q=0.5`. Any other member is ignored. */
const MEMBER = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/
