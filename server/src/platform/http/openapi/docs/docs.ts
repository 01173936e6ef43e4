// GET /docs: the API reference, printed from the OpenAPI document.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { assert } from '../../../../kernel/assert.ts'
import { pageHeaders } from '../../reply/headers.ts'
import { mountSite, readSite, type StaticFile, staticFile } from '../../static/static.ts'
import type { Document } from './document.ts'
import { type Assets, referencePage } from './page.ts'

const BUILT = fileURLToPath(new URL('../../../../../../web/dist/reference', import.meta.url))
const PAGE = 'index.html'

/** The page is built on the first request and cached, so that it does not delay the start. */
export function mountDocs(http: FastifyInstance, document: () => string): void {
  const files = new Map<string, StaticFile>()

  http.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      if (files.size === 0) fill(files, document())
    })
    mountSite(scope, { prefix: '/docs', files, page: PAGE, fallback: false, headers: pageHeaders() })
  })
}

function fill(files: Map<string, StaticFile>, document: string): void {
  const built = readSite(BUILT)
  const page = referencePage(JSON.parse(document) as Document, assetsOf([...built.keys()]))
  for (const [name, file] of built) files.set(name, file)
  files.set(PAGE, staticFile(PAGE, Buffer.from(page)))
}

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
