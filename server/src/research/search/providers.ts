// Clients of the supported search providers.
import { unescape as decoded } from 'node:querystring'
import { z } from 'zod'
import type { Config, SearchProvider } from '../../platform/config.ts'
import { toSnippet, toTitle, toWebUrl } from './result-text.ts'
import { SearchFailure, type SearchHttpRequest, sendSearch } from './search-http.ts'

/** A page that a provider returned. */
export type ProviderResult = { readonly url: string; readonly title: string; readonly snippet: string }

export type SearchClient = {
  readonly name: SearchProvider['provider']
  /** Best first, at most `limit`. Throws SearchFailure, or the abort reason. */
  search(text: string, limit: number, signal: AbortSignal): Promise<ProviderResult[]>
}

type ProviderApi = {
  request(text: string, limit: number): SearchHttpRequest
  /** Throws a ZodError if the shape is wrong. */
  results(answer: unknown): ProviderResult[]
}

// Limits of Brave; Tavily has the same limit of characters.
const QUERY_CHARACTERS_MAX = 400
const QUERY_WORDS_MAX = 50

/** The client of the configured provider; null without one. */
export function createSearchClient({ search }: Pick<Config, 'search'>): SearchClient | null {
  if (search === null) return null
  const { request: question, results } = PROVIDER_APIS[search.provider](search)
  return {
    name: search.provider,
    async search(text, limit, signal) {
      const answer = await sendSearch(question(limitQuery(text), limit), signal)
      return toResults(() => results(answer)).slice(0, limit)
    },
  }
}

const PROVIDER_APIS: Readonly<Record<SearchClient['name'], (settings: SearchProvider) => ProviderApi>> = {
  searxng({ baseUrl }) {
    const { url, headers } = toEndpoint(baseUrl ?? '', '/search')
    return {
      request(text) {
        const requestUrl = new URL(url)
        // A word with a leading exclamation mark would select an engine or redirect.
        requestUrl.searchParams.set('q', text.replace(/(^| )!+/g, '$1'))
        requestUrl.searchParams.set('format', 'json')
        return { url: requestUrl, headers }
      },
      results(answer) {
        const { results, unresponsive_engines: silent } = SearxngAnswer.parse(answer)
        if (results.length === 0 && silent.length > 0)
          throw new SearchFailure('unavailable', 'no SearXNG engine answered')
        return parseResults(ContentResult, results)
      },
    }
  },

  tavily({ baseUrl, apiKey }) {
    const { url, headers } = toEndpoint(baseUrl ?? 'https://api.tavily.com', '/search')
    return {
      request: (query, limit) => ({
        url,
        headers: { ...headers, authorization: `Bearer ${apiKey}` },
        body: { query, max_results: Math.min(limit, 20), search_depth: 'basic' },
      }),
      results: (answer) => parseResults(ContentResult, TavilyAnswer.parse(answer).results),
    }
  },

  brave({ baseUrl, apiKey }) {
    const { url, headers } = toEndpoint(baseUrl ?? 'https://api.search.brave.com', '/res/v1/web/search')
    return {
      request(text, limit) {
        const requestUrl = new URL(url)
        requestUrl.searchParams.set('q', text)
        requestUrl.searchParams.set('count', String(Math.min(limit, 20)))
        return { url: requestUrl, headers: { ...headers, 'x-subscription-token': apiKey ?? '' } }
      },
      results: (answer) => parseResults(BraveResult, BraveAnswer.parse(answer).web?.results ?? []),
    }
  },

  serper({ baseUrl, apiKey }) {
    const { url, headers } = toEndpoint(baseUrl ?? 'https://google.serper.dev', '/search')
    return {
      request: (q, limit) => ({
        url,
        headers: { ...headers, 'x-api-key': apiKey ?? '' },
        body: { q, num: Math.min(limit, 100) },
      }),
      results: (answer) => parseResults(SerperResult, SerperAnswer.parse(answer).organic ?? []),
    }
  },
}

const results = z.array(z.unknown())
const text = z.string().catch('')

const SearxngAnswer = z.object({ results, unresponsive_engines: results.catch([]) })
const TavilyAnswer = z.object({ results })
// These two omit the list if there are no results.
const BraveAnswer = z
  .object({ web: z.object({ results }).nullish(), type: z.unknown().optional() })
  .refine(({ web, type }) => web || type === 'search')
const SerperAnswer = z
  .object({ organic: results.nullish(), searchParameters: z.unknown().optional() })
  .refine(({ organic, searchParameters }) => organic || searchParameters)

const ContentResult = z
  .object({ url: z.string(), title: text, content: text })
  .transform(({ content, ...page }) => ({ ...page, snippet: content }))
const BraveResult = z
  .object({ url: z.string(), title: text, description: text })
  .transform(({ description, ...page }) => ({ ...page, snippet: description }))
const SerperResult = z
  .object({ link: z.string(), title: text, snippet: text })
  .transform(({ link, ...page }) => ({ ...page, url: link }))

/** Drops invalid results. */
const parseResults = (shape: z.ZodType<ProviderResult>, items: readonly unknown[]): ProviderResult[] =>
  items.flatMap((item) => shape.safeParse(item).data ?? [])

function toResults(results: () => ProviderResult[]): ProviderResult[] {
  try {
    return results().flatMap((raw) => {
      const url = toWebUrl(raw.url)
      return url === null ? [] : [{ url, title: toTitle(raw.title) || url, snippet: toSnippet(raw.snippet) }]
    })
  } catch (error) {
    if (error instanceof z.ZodError) throw new SearchFailure('bad_answer', 'unexpected JSON')
    throw error
  }
}

/**
 * Builds the endpoint from the configured URL, which may already contain the path or its start. Its parameters are
 * kept, and its credentials move to a header.
 */
function toEndpoint(base: string, path: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(base)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.hash = ''
  const given = url.pathname.replace(/\/+$/, '')
  const ends = [...path.matchAll(/\/|$/g)].map(({ index }) => index)
  const shared = ends.findLast((end) => given.endsWith(path.slice(0, end))) ?? 0
  url.pathname = given + path.slice(shared)
  if (username === '' && password === '') return { url, headers: {} }
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`)
  return { url, headers: { authorization: `Basic ${credentials.toString('base64')}` } }
}

function limitQuery(query: string): string {
  const words = query
    .slice(0, QUERY_CHARACTERS_MAX * 2)
    .toWellFormed()
    .split(/\s+/)
    .filter(Boolean)
  const text = words.slice(0, QUERY_WORDS_MAX).join(' ')
  return text.length <= QUERY_CHARACTERS_MAX ? text : cutAtWord(text)
}

function cutAtWord(text: string): string {
  const cut = text.slice(0, QUERY_CHARACTERS_MAX)
  const end = cut.lastIndexOf(' ')
  return end > 0 ? cut.slice(0, end) : cut.toWellFormed()
}
