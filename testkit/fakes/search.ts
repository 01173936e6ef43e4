// A fake of all four search providers on loopback, over a list of documents. Tests can script faults. Deterministic.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { splitWords } from '@cowrie/server/src/research/prompts/bm25.ts'
import type { SearchClient } from '@cowrie/server/src/research/search/providers.ts'

export type FakeDocument = { readonly url: string; readonly title: string; readonly text: string }

export type FakeSearchRequest = {
  readonly dialect: SearchClient['name']
  readonly text: string
  readonly limit: number
  readonly path: string
  readonly params: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

/** A fault instead of the answer. With `until`, the answer follows when the promise settles. */
export type SearchFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly until: Promise<unknown> }
  | 'hang'
  | 'reset'
  | 'malformed'
  | 'huge'

export type FakeSearch = {
  /** The base URL for each provider. */
  readonly url: string
  /** All requests, oldest first. */
  readonly requests: readonly FakeSearchRequest[]
  /** Replaces the documents. */
  serve(documents: readonly FakeDocument[]): void
  /** Faults of the next requests, in order; null for a normal answer. */
  script(...faults: readonly (SearchFault | null)[]): void
  /** Faults of requests without a scripted one. */
  fallback(faultOf: (request: FakeSearchRequest) => SearchFault | null): void
  /** Current requests, and the highest concurrency. */
  readonly open: number
  readonly openMost: number
  /** Clears requests, faults and counts; keeps the documents. */
  reset(): void
  close(): Promise<void>
}

export const tooMany = (retryAfter?: number | string): SearchFault => ({
  status: 429,
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
})

/** With a `key`, providers reject other keys. */
export async function startSearch(
  documents: readonly FakeDocument[] = [],
  key?: string,
): Promise<FakeSearch> {
  let index = indexOf(documents)
  let requests: FakeSearchRequest[] = []
  let script: (SearchFault | null)[] = []
  let fallback: (request: FakeSearchRequest) => SearchFault | null = () => null
  let open = 0
  let openMost = 0

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    open += 1
    openMost = Math.max(openMost, open)
    response.once('close', () => {
      open -= 1
    })
    const request = await readRequest(incoming)
    if (!request) return send(response, 404, '{}')
    requests.push(request)
    const fault = script.length > 0 ? script.shift() : fallback(request)
    const refusal = findRefusal(request, key)
    if (!fault && refusal) return send(response, refusal, '{"message":"refused"}')
    if (fault) await applyFault(fault, response)
    if (!fault || (typeof fault === 'object' && 'until' in fault))
      send(response, 200, JSON.stringify(answerOf(request, index)))
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    serve: (next) => {
      index = indexOf(next)
    },
    script: (...faults) => void script.push(...faults),
    fallback: (faultOf) => {
      fallback = faultOf
    },
    get open() {
      return open
    },
    get openMost() {
      return openMost
    },
    reset() {
      requests = []
      script = []
      fallback = () => null
      openMost = open
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<FakeSearchRequest | null> {
  const { pathname: path, searchParams: params } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const { headers } = incoming
  const raw = await text(incoming)
  const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>)
  const common = { path, params, headers }
  if (path.endsWith('/res/v1/web/search'))
    return { ...common, dialect: 'brave', text: params.get('q') ?? '', limit: Number(params.get('count')) }
  if (!/(^|\/)(search)?$/.test(path)) return null
  if (incoming.method === 'GET')
    return { ...common, dialect: 'searxng', text: params.get('q') ?? '', limit: SEARXNG_PAGE }
  return 'x-api-key' in headers
    ? { ...common, dialect: 'serper', text: String(body.q), limit: Number(body.num) }
    : { ...common, dialect: 'tavily', text: String(body.query), limit: Number(body.max_results) }
}

/** SearXNG rejects requests for other formats than JSON; the others reject unknown keys. */
function findRefusal(
  { dialect, headers, params }: FakeSearchRequest,
  key: string | undefined,
): number | null {
  if (dialect === 'searxng') return params.get('format') === 'json' ? null : 403
  const given = {
    tavily: headers.authorization?.replace(/^Bearer /, ''),
    brave: headers['x-subscription-token'],
    serper: headers['x-api-key'],
  }[dialect]
  if (given !== undefined && given === (key ?? given)) return null
  return { tavily: 401, brave: 422, serper: 403 }[dialect]
}

async function applyFault(fault: SearchFault, response: ServerResponse): Promise<void> {
  if (fault === 'hang') return
  if (fault === 'reset') return void response.socket?.resetAndDestroy()
  if (fault === 'malformed') return send(response, 200, '{"results": [{"url": "https://')
  if (fault === 'huge') return sendEndless(response)
  if ('until' in fault) return void (await fault.until)
  send(response, fault.status, fault.body ?? '{"message":"as scripted"}', fault.headers)
}

/** Sends data until the client disconnects. */
function sendEndless(response: ServerResponse): void {
  const part = ' '.repeat(64 * 1024)
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers?: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

const SEARXNG_PAGE = 20
const SNIPPET_CHARACTERS = 200

type SearchIndex = (query: string, limit: number) => { url: string; title: string; snippet: string }[]

/** BM25 with double weight for titles. Words are counted once per document set. */
function indexOf(documents: readonly FakeDocument[]): SearchIndex {
  const counted = documents.map(({ title, text }) => countsOf(splitWords(`${title}\n${title}\n${text}`)))
  const lengths = counted.map((counts) => counts.values().reduce((sum, count) => sum + count, 0))
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const rarityOf = (word: string) => {
    const having = counted.filter((counts) => counts.has(word)).length
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
  }
  return (query, limit) => {
    const words = [...new Set(splitWords(query))].map((word) => ({ word, rarity: rarityOf(word) }))
    const scoreOf = (at: number) =>
      words.reduce((score, { word, rarity }) => {
        const count = counted[at]?.get(word) ?? 0
        return score + (rarity * count * 2.2) / (count + 0.3 + (0.9 * (lengths[at] ?? 0)) / meanLength)
      }, 0)
    return documents
      .map((document, at) => ({ ...document, score: scoreOf(at) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1))
      .slice(0, limit)
      .map(({ url, title, text }) => ({ url, title, snippet: snippetOf(text, splitWords(query)) }))
  }
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The text around the first matching word. */
function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40)
  return text
    .slice(start, start + SNIPPET_CHARACTERS)
    .replaceAll(/\s+/g, ' ')
    .toWellFormed()
}

function answerOf({ dialect, text: query, limit, params }: FakeSearchRequest, index: SearchIndex): object {
  if (dialect === 'searxng') {
    const page = Math.max(1, Number(params.get('pageno') ?? 1))
    const results = index(query, page * SEARXNG_PAGE)
      .slice((page - 1) * SEARXNG_PAGE)
      .map(({ snippet, ...found }, i) => ({
        ...found,
        content: snippet,
        engine: 'fake',
        score: 1 / (i + 1),
      }))
    return { query, number_of_results: results.length, results, answers: [], unresponsive_engines: [] }
  }
  const found = index(query, limit)
  if (dialect === 'tavily') {
    const results = found.map(({ snippet, ...page }, i) => ({
      ...page,
      content: snippet,
      score: 1 / (i + 1),
    }))
    return { query, results, answer: null, images: [], response_time: 0.1 }
  }
  if (dialect === 'serper') {
    const organic = found.map(({ url, ...page }, i) => ({ ...page, link: url, position: i + 1 }))
    return { searchParameters: { q: query, type: 'search' }, organic, credits: 1 }
  }
  const results = found.map(({ url, title, snippet }) => ({
    type: 'search_result',
    url,
    title: escaped(title),
    description: highlighted(escaped(snippet), splitWords(query)),
  }))
  return { type: 'search', query: { original: query }, ...(results.length > 0 && { web: { results } }) }
}

// Brave returns HTML in its texts.
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
const highlighted = (markup: string, words: readonly string[]): string =>
  markup.replaceAll(/\p{L}+/gu, (word) =>
    words.includes(word.toLowerCase()) && word.length > 4 ? `<strong>${word}</strong>` : word,
  )
