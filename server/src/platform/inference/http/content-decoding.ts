// Upstreams and proxies that compress their answers, although nobody asked them to.
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

/** Reads what `read` brings without its compression. What cannot be decoded has failed. */
export function decodeContent(encoding: string | undefined, read: Read): Read {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity' || name === '') return read
  if (!Object.hasOwn(DECODERS, name))
    throw new UpstreamFailed('failed', 'the upstream answered in a content encoding that is not known')
  const decoder = DECODERS[name as keyof typeof DECODERS]()
  // Each error reaches the reader below; one after the last read concerns no reader.
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
      throw new UpstreamFailed('failed', 'the upstream sent an answer that cannot be decoded', {
        cause: error,
      })
    }
  }
}

async function* chunksOf(read: Read): AsyncGenerator<Buffer> {
  for (let chunk = await read(); chunk; chunk = await read()) yield chunk
}
