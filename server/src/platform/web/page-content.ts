// Accepts responses that contain readable text, and decompresses them within a size limit.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { WebResponse } from './http-request.ts'
import { PageRefused } from './page.ts'

export const PDF = 'application/pdf'

// XHTML is the only XML, and is read as HTML. Feeds and site maps are not quotable pages, and XML entities can expand
// without bound in a parser.
export const TEXT_TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/markdown',
  'text/x-markdown',
  'application/json',
  PDF,
])
/** The scripts of a page and their data. */
export const PART_TYPES: ReadonlySet<string> = new Set([
  ...['text/html', 'text/plain', 'text/css', 'application/json', 'application/manifest+json'],
  ...['text/javascript', 'application/javascript', 'application/x-javascript'],
])
export const ACCEPT = 'text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9, */*;q=0.5'

export type ContentType = { readonly mime: string; readonly charset: string | null }

/** The content type. Throws `not_text` for other types and for a missing header. */
export function readTextType(
  headers: IncomingHttpHeaders,
  types: ReadonlySet<string> = TEXT_TYPES,
): ContentType {
  const [mime = '', ...parameters] = headerOf(headers, 'content-type').toLowerCase().split(';')
  if (!types.has(mime.trim())) throw new PageRefused('not_text')
  const parameter = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  const charset = parameter?.slice('charset='.length).replace(/^["']|["']$/g, '') ?? ''
  return { mime: mime.trim(), charset: /^[a-z0-9][\w.:-]{0,39}$/.test(charset) ? charset : null }
}

/** A header as one line, also when it was sent several times. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name] ?? ''
  return Array.isArray(value) ? value.join(', ') : value
}

export type BodyLimit = { readonly bytesMax: number; readonly overflow: 'refuse' | 'cut' }

/** The decompressed body. Reading stops at the limit. */
export async function readBody(
  { headers, body }: WebResponse,
  { bytesMax, overflow }: BodyLimit,
): Promise<Buffer> {
  if (overflow === 'refuse' && Number(headerOf(headers, 'content-length')) > bytesMax)
    throw new PageRefused('too_large')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of decompress(body, headers) as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > bytesMax && overflow === 'refuse') throw new PageRefused('too_large')
    if (size >= bytesMax && overflow === 'cut') break
  }
  return Buffer.concat(parts).subarray(0, bytesMax)
}

function decompress(body: Readable, headers: IncomingHttpHeaders): Readable {
  const decompressor = createDecompressor(headerOf(headers, 'content-encoding').trim().toLowerCase())
  if (!decompressor) return body
  body.on('error', (error) => decompressor.destroy(error))
  return body.pipe(decompressor)
}

// One content encoding at most: nested encodings are typical of decompression bombs.
function createDecompressor(encoding: string) {
  if (encoding === '' || encoding === 'identity') return null
  if (encoding === 'br') return createBrotliDecompress()
  if (/^(x-)?gzip$|^deflate$/.test(encoding)) return createUnzip()
  throw new PageRefused('unreadable')
}

const SNIFFED_BYTES = 4_096
const BINARY_SHARE_MAX = 0.02

/** Rejects content that obviously does not match its declared type. */
export function rejectMislabelled(bytes: Buffer, { mime, charset }: ContentType): void {
  const beginning = bytes.subarray(0, SNIFFED_BYTES)
  const isPdf = beginning.subarray(0, 1_024).includes('%PDF-')
  if (mime === PDF ? !isPdf : beginning.indexOf('%PDF-') === 0) throw new PageRefused('not_text')
  if (mime !== PDF && !isWide(beginning, charset) && isBinary(beginning)) throw new PageRefused('not_text')
}

/** UTF-16 text contains zero bytes. */
const isWide = (bytes: Buffer, charset: string | null): boolean =>
  charset?.startsWith('utf-16') || /^(fffe|feff)/.test(bytes.toString('hex', 0, 2))

function isBinary(bytes: Buffer): boolean {
  if (bytes.includes(0)) return true
  const odd = bytes.reduce((count, byte) => count + (isTextByte(byte) ? 0 : 1), 0)
  return odd > bytes.length * BINARY_SHARE_MAX
}

// Tab, line feed, form feed, carriage return and escape occur in text. Other control characters do not.
const isTextByte = (byte: number): boolean =>
  byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b
