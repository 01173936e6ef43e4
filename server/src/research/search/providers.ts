// The search providers that an operator can configure, each by its documented API: what is asked, and where the answer is.
import { unescape as decoded } from 'node:querystring'
import { z } from 'zod'
import type { Config, SearchProvider } from '../../platform/config.ts'
import { ask, type Question, SearchFailure } from './ask.ts'
import { snippetOf, titleOf, webAddressOf } from './plain-text.ts'

/** A page that a provider has found. */
export type Found = { readonly url: string; readonly title: string; readonly snippet: string }

export type Provider = {
  readonly name: SearchProvider['provider']
  /** The best first, at most `limit`. Throws SearchFailure, or the reason of the signal. */
  search(text: string, limit: number, signal: AbortSignal): Promise<Found[]>
}

type Dialect = {
  question(text: string, limit: number): Question
  /** Throws a ZodError for an answer of another kind. */
  results(answer: unknown): Found[]
}

// Brave takes no more than this, Tavily no more characters.
const QUERY_CHARACTERS_MAX = 400
const QUERY_WORDS_MAX = 50

/** The provider that is configured, or null where there is none. */
export function providerOf({ search }: Pick<Config, 'search'>): Provider | null {
  if (search === null) return null
  const { question, results } = DIALECTS[search.provider](search)
  return {
    name: search.provider,
    async search(text, limit, signal) {
      const answer = await ask(question(bounded(text), limit), signal)
      return read(() => results(answer)).slice(0, limit)
    },
  }
}

const DIALECTS: Readonly<Record<Provider['name'], (settings: SearchProvider) => Dialect>> = {
  searxng({ baseUrl }) {
    const { url, headers } = endpoint(baseUrl ?? '', '/search')
    return {
      question(text) {
        const asked = new URL(url)
        // A word that begins with an exclamation mark would choose an engine, or redirect to one.
        asked.searchParams.set('q', text.replace(/(^| )!+/g, '$1'))
        asked.searchParams.set('format', 'json')
        return { url: asked, headers }
      },
      results(answer) {
        const { results, unresponsive_engines: silent } = SearxngAnswer.parse(answer)
        if (results.length === 0 && silent.length > 0)
          throw new SearchFailure('unavailable', 'no engine of SearXNG answered')
        return each(ContentResult, results)
      },
    }
  },

  tavily({ baseUrl, apiKey }) {
    const { url, headers } = endpoint(baseUrl ?? 'https://api.tavily.com', '/search')
    return {
      question: (query, limit) => ({
        url,
        headers: { ...headers, authorization: `Bearer ${apiKey}` },
        body: { query, max_results: Math.min(limit, 20), search_depth: 'basic' },
      }),
      results: (answer) => each(ContentResult, TavilyAnswer.parse(answer).results),
    }
  },

  brave({ baseUrl, apiKey }) {
    const { url, headers } = endpoint(baseUrl ?? 'https://api.search.brave.com', '/res/v1/web/search')
    return {
      question(text, limit) {
        const asked = new URL(url)
        asked.searchParams.set('q', text)
        asked.searchParams.set('count', String(Math.min(limit, 20)))
        return { url: asked, headers: { ...headers, 'x-subscription-token': apiKey ?? '' } }
      },
      results: (answer) => each(BraveResult, BraveAnswer.parse(answer).web?.results ?? []),
    }
  },

  serper({ baseUrl, apiKey }) {
    const { url, headers } = endpoint(baseUrl ?? 'https://google.serper.dev', '/search')
    return {
      question: (q, limit) => ({
        url,
        headers: { ...headers, 'x-api-key': apiKey ?? '' },
        body: { q, num: Math.min(limit, 100) },
      }),
      results: (answer) => each(SerperResult, SerperAnswer.parse(answer).organic ?? []),
    }
  },
}

const results = z.array(z.unknown())
const text = z.string().catch('')

const SearxngAnswer = z.object({ results, unresponsive_engines: results.catch([]) })
const TavilyAnswer = z.object({ results })
// Where nothing was found these two leave the list out.
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

/** What is no result is left out; the others stand. */
const each = (shape: z.ZodType<Found>, items: readonly unknown[]): Found[] =>
  items.flatMap((item) => shape.safeParse(item).data ?? [])

function read(results: () => Found[]): Found[] {
  try {
    return results().flatMap((raw) => {
      const url = webAddressOf(raw.url)
      return url === null ? [] : [{ url, title: titleOf(raw.title) || url, snippet: snippetOf(raw.snippet) }]
    })
  } catch (error) {
    if (error instanceof z.ZodError) throw new SearchFailure('bad_answer', 'JSON of another shape')
    throw error
  }
}

/**
 * Where to ask. The address that an operator gives may already have the path or the beginning of it, parameters, which are
 * kept, and a name and password, which go into a header: they are not sent otherwise.
 */
function endpoint(base: string, path: string): { url: URL; headers: Record<string, string> } {
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

function bounded(query: string): string {
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
