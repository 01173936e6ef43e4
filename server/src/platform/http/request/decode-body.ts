// Decodes compressed request bodies up to the size limit of the route.
import * as zlib from 'node:zlib'
import { ApiError } from '../../../kernel/errors.ts'
import { HAS_ZSTD } from '../reply/content-encoding.ts'

type Decoded = { buffer: Buffer; engine: { bytesWritten: number } }
type Done = (error: NodeJS.ErrnoException | null, decoded: unknown) => void
type Decode = (body: Buffer, limitBytes: number, done: Done) => void

/** The largest window that RFC 9659 allows. A frame that needs more memory is rejected. */
const ZSTD_WINDOW_LOG_MAX = 23
const gunzip: Decode = (body, maxOutputLength, done) =>
  zlib.gunzip(body, { maxOutputLength, info: true }, done)
const brotli: Decode = (body, maxOutputLength, done) =>
  zlib.brotliDecompress(body, { maxOutputLength, info: true }, done)
const zstd: Decode = (body, maxOutputLength, done) =>
  zlib.zstdDecompress(
    body,
    {
      maxOutputLength,
      info: true,
      params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX },
    },
    done,
  )
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  ...(HAS_ZSTD ? { zstd } : {}),
  br: brotli,
}

/** The encodings of JSON bodies, as an error response lists them in `Accept-Encoding`. */
export const REQUEST_ENCODINGS = HAS_ZSTD ? 'gzip, zstd, br' : 'gzip, br'

const nameOf = (header: string): string => header.trim().toLowerCase()

export const isEncoded = (header: string | undefined): header is string =>
  header !== undefined && nameOf(header) !== 'identity'

/** Only one known encoding is accepted. No client needs several, and each multiplies the decoded size. */
export const canDecode = (header: string): boolean => Object.hasOwn(DECODERS, nameOf(header))

/** Bodies decoded at the same time. Each may need its size limit in memory. */
const CONCURRENCY_MAX = 2
const WAITING_MAX = 200
let running = 0
const waiting: (() => void)[] = []

/** The decoded body. Rejects a damaged body and one that decodes to more than `limitBytes`. */
export async function decodeBody(body: Buffer, header: string, limitBytes: number): Promise<Buffer> {
  const decode = DECODERS[nameOf(header)]
  if (!decode) throw new ApiError('unsupported_media_type')
  await acquireSlot()
  try {
    const { buffer, engine } = await new Promise<Decoded>((resolve, reject) => {
      decode(body, limitBytes, (error, decoded) => (error ? reject(error) : resolve(decoded as Decoded)))
    })
    if (engine.bytesWritten === body.length) return buffer
    throw invalidEncoding(header, 'has bytes after its end')
  } catch (error) {
    if (error instanceof ApiError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ApiError('body_too_large')
    throw invalidEncoding(header, code === 'Z_BUF_ERROR' ? 'ends too early' : 'is damaged')
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** A finished decoding passes its slot to the longest waiting one. */
async function acquireSlot(): Promise<void> {
  if (running < CONCURRENCY_MAX) {
    running++
    return
  }
  if (waiting.length >= WAITING_MAX) throw new ApiError('busy')
  await new Promise<void>((resolve) => waiting.push(resolve))
}

const invalidEncoding = (header: string, how: string): ApiError =>
  new ApiError('bad_request', {
    error: `The ${nameOf(header)} encoding of the body ${how}; encode the body again, or send it without Content-Encoding.`,
  })
