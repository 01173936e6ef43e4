// Static files from memory. Request paths never reach the file system.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import { once } from '../../../kernel/once.ts'
import { negotiate } from '../reply/content-encoding.ts'
import { matches } from './published-document.ts'

export type StaticFile = {
  bytes: Buffer
  /** Compressed by the build or on first use; null where compression saves nothing. */
  brotli: () => Buffer | null
  gzip: () => Buffer | null
  contentType: string
  /** Weak, because the same file comes in several encodings. */
  etag: string
  immutable: boolean
}
export type Site = {
  /** '/app' */
  prefix: string
  files: ReadonlyMap<string, StaticFile>
  /** Served for the prefix and, with `fallback`, for paths without a file. */
  page: string
  /** Whether the page routes unknown paths itself. */
  fallback: boolean
  headers: Record<string, string>
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const HASHED_NAME = /-[A-Za-z0-9_]{6,}\.\w+$/

export function staticFile(name: string, bytes: Buffer, built: { brotli?: Buffer } = {}): StaticFile {
  const isText = /\.(html|js|css|json|txt|svg|webmanifest)$/.test(name)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return {
    bytes,
    brotli: once(() => built.brotli ?? (isText ? brotliCompressSync(bytes, quality) : null)),
    gzip: once(() => (isText ? gzipSync(bytes) : null)),
    contentType: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    immutable: HASHED_NAME.test(name),
  }
}

/** Reads a build folder. `name.br` is the compressed form of `name`. */
export function readSite(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || /^\.|\.(br|gz|map)$/.test(entry.name)) continue
    const brotli = existsSync(`${path}.br`) ? { brotli: readFileSync(`${path}.br`) } : {}
    files.set(relative(folder, path).split(sep).join('/'), staticFile(entry.name, readFileSync(path), brotli))
  }
  return files
}

export function mountSite(http: FastifyInstance, site: Site): void {
  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    const path = decodeURI(request.url.split('?')[0] ?? '')
      .slice(site.prefix.length)
      .replace(/^\//, '')
    const file =
      site.files.get(path) ??
      (path === '' || (site.fallback && !path.includes('.')) ? site.files.get(site.page) : undefined)
    if (!file) throw new ApiError('not_found')
    return sendFile(request, reply, file, site.headers)
  }
  const name = `site${site.prefix.replace('/', '.')}`
  for (const url of [site.prefix, `${site.prefix}/*`]) {
    http.route({ method: ['GET', 'HEAD'], url, config: { name }, handler: serve })
    http.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, config: { name }, handler: refuse })
  }
}

export function refuse(_request: FastifyRequest, reply: FastifyReply): never {
  reply.header('allow', 'GET, HEAD')
  throw new ApiError('method_not_allowed')
}

export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  headers: Record<string, string>,
): FastifyReply {
  reply.headers({
    vary: 'accept-encoding',
    ...headers,
    etag: file.etag,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (matches(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  reply.header('content-type', file.contentType)
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), ['br', 'gzip'])
  const compressed = encoding && { br: file.brotli, gzip: file.gzip }[encoding]()
  return compressed ? reply.header('content-encoding', encoding).send(compressed) : reply.send(file.bytes)
}
