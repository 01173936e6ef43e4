// Decompresses responses. Some upstreams and proxies compress them although the request does not allow it.
import { Readable } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { UpstreamFailed } from '../model-request.ts'

type Read = () => Promise<Buffer | null>

const FLUSH = { flush: constants.Z_SYNC_FLUSH }
const DECODERS = {
  gzip: () => createGunzip(FLUSH),
  'x-gzip': () => createGunzip(FLUSH),
  deflate: () => createInflate(FLUSH),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
} as const

/** Decompresses the output of `read`. Throws `UpstreamFailed` when it cannot be decoded. */
export function decodeContent(encoding: string | undefined, read: Read): Read {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return read
  if (!Object.hasOwn(DECODERS, name))
    throw new UpstreamFailed('failed', 'the upstream used an unknown content encoding')
  const decoder = DECODERS[name as keyof typeof DECODERS]()
  // Errors reach the reader below. An error after the last read has no reader.
  decoder.on('error', () => undefined)
  let broken: unknown
  const source = Readable.from(chunksOf(read), { objectMode: false })
  source.on('error', (error) => {
    broken = error
    decoder.destroy(error)
  })
  const chunks = source.pipe(decoder)[Symbol.asyncIterator]()
  return async () => {
    try {
      const { done, value } = await chunks.next()
      return done ? null : (value as Buffer)
    } catch (error) {
      if (broken !== undefined) throw broken
      throw new UpstreamFailed('failed', 'the response of the upstream cannot be decompressed', {
        cause: error,
      })
    }
  }
}

async function* chunksOf(read: Read): AsyncGenerator<Buffer> {
  for (let chunk = await read(); chunk; chunk = await read()) yield chunk
}
