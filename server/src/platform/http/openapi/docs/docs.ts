// GET /docs: the guides, and the API reference printed from the OpenAPI document. One page per guide and area.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../../../kernel/assert.ts'
import { ApiError } from '../../../../kernel/errors.ts'
import { once } from '../../../../kernel/once.ts'
import { acceptedLanguage, knownLanguage, type Language } from '../../../texts/language.ts'
import { pageHeaders } from '../../reply/headers.ts'
import { readSite, refuse, type StaticFile, sendFile, staticFile } from '../../static/static.ts'
import type { Document } from './document.ts'
import type { Assets } from './layout.ts'
import { createDocs, type Docs } from './pages.ts'

const BUILT = fileURLToPath(new URL('../../../../../../web/dist/reference', import.meta.url))
const COOKIE = 'site_language'
/** Of about 300 in four languages. The least recently used one is dropped; printing it again takes milliseconds. */
const PAGES_MAX = 48
const YEAR_SECONDS = 365 * 86_400

/** Pages are built on the first request and cached, so that they do not delay the start. */
export function mountDocs(http: FastifyInstance, document: () => string, baseUrl: string): void {
  const read = once((): { docs: Docs; files: Map<string, StaticFile> } => {
    const files = readSite(BUILT)
    const docs = createDocs(JSON.parse(document()) as Document, assetsOf([...files.keys()]), baseUrl)
    files.set('search.json', staticFile('search.json', Buffer.from(JSON.stringify(docs.index))))
    return { docs, files }
  })
  const pages = new Map<string, StaticFile>()
  const headers = {
    ...pageHeaders({ worker: "'self'" }),
    vary: 'accept-encoding, accept-language, cookie',
  }

  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    const url = new URL(request.url, 'http://docs')
    const path = decodeURI(url.pathname).replace(/\/$/, '')
    const { docs, files } = read()
    const file = files.get(path.slice('/docs/'.length))
    if (file) return sendFile(request, reply, file, headers)
    const chosen = knownLanguage(url.searchParams.get('lang'))
    const language = chosen ?? languageOf(request)
    if (chosen) reply.header('set-cookie', cookieOf(chosen, baseUrl.startsWith('https:')))
    if (path === '/docs/search') {
      const page = docs.searchPage(url.searchParams.get('q') ?? '', language)
      return sendFile(request, reply, staticFile('search.html', Buffer.from(page)), headers)
    }
    const key = `${language} ${path}`
    const page = pages.get(key) ?? printed(docs.page(path, language))
    if (!page) throw new ApiError('not_found')
    pages.delete(key)
    pages.set(key, page)
    const [oldest] = pages.size > PAGES_MAX ? pages.keys() : []
    if (oldest !== undefined) pages.delete(oldest)
    return sendFile(request, reply, page, headers)
  }

  for (const url of ['/docs', '/docs/*']) {
    http.route({ method: ['GET', 'HEAD'], url, config: { name: 'site.docs' }, handler: serve })
    http.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { name: 'site.docs' },
      handler: refuse,
    })
  }
}

const printed = (page: string | null): StaticFile | null =>
  page === null ? null : staticFile('index.html', Buffer.from(page))

/** The choice that the public pages remember, then what the browser asks for. */
function languageOf({ headers }: FastifyRequest): Language {
  const cookie = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1]
  return knownLanguage(cookie) ?? acceptedLanguage(headers['accept-language'])
}

const cookieOf = (language: Language, isSecure: boolean): string =>
  `${COOKIE}=${language}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${isSecure ? '; Secure' : ''}`

function assetsOf(names: readonly string[]): Assets {
  const named = (pattern: RegExp): string => {
    const name = names.find((candidate) => pattern.test(candidate))
    assert(name !== undefined, 'the web app is built; `npm run build` does it')
    return name
  }
  return {
    script: named(/^reference-.*\.js$/),
    style: named(/^style-.*\.css$/),
    icon: named(/^icon-.*\.svg$/),
  }
}
