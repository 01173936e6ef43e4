// GET /docs: the reference of this very service, printed from what /openapi.json answers.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { assert } from '../../../kernel/assert.ts'
import { pageHeaders } from '../headers.ts'
import { mountSite, readSite, type StaticFile, staticFile } from '../static.ts'
import type { Document } from './document.ts'
import { type Assets, referencePage } from './page.ts'

const BUILT = fileURLToPath(new URL('../../../../../web/dist/reference', import.meta.url))
const PAGE = 'index.html'

/** Made when the first reader comes, then kept: the start of the service does not wait for it. */
export function mountDocs(http: FastifyInstance): void {
  const files = new Map<string, StaticFile>()
  let made: Promise<void> | null = null

  http.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      made ??= fill(http, files)
      await made.catch((error: unknown) => {
        // The next reader tries again.
        made = null
        throw error
      })
    })
    mountSite(scope, { prefix: '/docs', files, page: PAGE, fallback: false, headers: pageHeaders() })
  })
}

async function fill(http: FastifyInstance, files: Map<string, StaticFile>): Promise<void> {
  const answer = await http.inject({ url: '/openapi.json' })
  assert(answer.statusCode === 200, 'the service publishes its document')
  const built = readSite(BUILT)
  const page = referencePage(answer.json<Document>(), assetsOf([...built.keys()]))
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
