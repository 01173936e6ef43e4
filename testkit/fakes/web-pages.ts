// A small web on loopback with a search engine, and beside it a server that must never be called.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PageAnswer, type WorldPage, worldPages } from '@cowrie/server/src/research/world/pages.ts'
import { type FakeSearch, startSearch } from './search.ts'

export type FakeWeb = {
  readonly origin: string
  readonly search: FakeSearch
  readonly pages: readonly WorldPage[]
  /** Requested paths, oldest first, including `robots.txt`. */
  readonly requestedPaths: readonly string[]
  /** Requests that reached the forbidden server. There must be none. */
  readonly innerRequests: readonly string[]
  /** Environment variables for a service that uses this web. */
  readonly variables: Record<string, string>
  /** Limits the search results to these pages; all without an argument. */
  show(paths?: readonly string[]): void
  /** Delays pages until the promise settles; no delay without an argument. */
  wait(delay?: (path: string) => Promise<unknown>): void
  close(): Promise<void>
}

const ROBOTS = 'User-agent: *\nDisallow: /private/\n'

export async function startWeb(): Promise<FakeWeb> {
  const innerRequests: string[] = []
  const inside = await listen((request, response) => {
    innerRequests.push(request.url ?? '')
    response.end('the safe is open')
  })
  const requestedPaths: string[] = []
  const byPath = new Map<string, WorldPage>()
  let waiting = async (_path: string): Promise<unknown> => undefined
  const web = await listen(async (request, response) => {
    const path = request.url ?? ''
    requestedPaths.push(path)
    if (path === '/robots.txt') return void response.end(ROBOTS)
    await waiting(path)
    sendAnswer(response, byPath.get(path.replace(/\?.*$/, ''))?.answer)
  })
  const pages = worldPages(web.origin, `${inside.origin}/safe`)
  for (const page of pages) byPath.set(page.path, page)
  const search = await startSearch()
  const show = (paths?: readonly string[]) =>
    search.serve(
      pages
        .filter(({ path }) => paths === undefined || paths.includes(path))
        .map(({ path, title, text }) => ({ url: `${web.origin}${path}`, title, text })),
    )
  show()
  return {
    origin: web.origin,
    search,
    pages,
    requestedPaths,
    innerRequests,
    variables: { SERVICE_SEARCH_URL: search.url, SERVICE_FETCH_ALLOW: new URL(web.origin).host },
    show,
    wait: (delay = async () => undefined) => {
      waiting = delay
    },
    async close() {
      await search.close()
      await Promise.all([end(web.server), end(inside.server)])
    },
  }
}

function sendAnswer(response: ServerResponse, answer: PageAnswer | undefined): void {
  if (answer === undefined) return void response.writeHead(404).end()
  if (answer === 'hang') return
  if (answer === 'reset') return void response.destroy()
  if (answer !== 'endless') return void response.writeHead(answer.status, answer.headers).end(answer.body)
  response.writeHead(200, { 'content-type': 'text/html' })
  const piece = Buffer.alloc(64 * 1024, 0x20)
  const more = () => {
    if (response.destroyed) return
    if (response.write(piece)) setImmediate(more)
    else response.once('drain', more)
  }
  more()
}

type ListeningServer = { readonly server: Server; readonly origin: string }

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<ListeningServer> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP address is never a path.
  const { port } = server.address() as AddressInfo
  return { server, origin: `http://127.0.0.1:${port}` }
}

function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
