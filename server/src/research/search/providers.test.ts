import { type FakeSearch, type SearchFault, startSearch, tooMany } from '@cowrie/testkit/fakes/search.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { createSearchClient, type SearchClient } from './providers.ts'
import { toSnippet, toTitle, toWebUrl } from './result-text.ts'
import { SearchFailure } from './search-http.ts'

const KEY = 'tvly-canary-7d1f'
const DOCUMENTS = [
  { url: 'https://cbk.example/rates', title: 'Interest rates', text: 'The central bank set rates at 9.5 %.' },
  {
    url: 'https://news.example/a',
    title: "The bank's view: < 10 %",
    text: 'Rates & prices: the "bank" waits.',
  },
  { url: 'https://food.example/ugali', title: 'Ugali', text: 'Maize flour and water.' },
]
const NAMES = ['searxng', 'tavily', 'brave', 'serper'] as const
const never = new AbortController().signal

let server: FakeSearch
beforeAll(async () => {
  server = await startSearch(DOCUMENTS, KEY)
})
afterEach(() => server.reset())
afterAll(() => server.close())

function providerBy(variables: Record<string, string>): SearchClient {
  const provider = createSearchClient(readConfig(variables, '0'))
  if (!provider) throw new Error('these variables configure a provider')
  return provider
}
const configured = (name: SearchClient['name'], key = KEY, base = server.url) =>
  providerBy(
    name === 'searxng'
      ? { SERVICE_SEARCH_URL: base }
      : {
          SERVICE_SEARCH_PROVIDER: name,
          SERVICE_SEARCH_API_KEY: key,
          SERVICE_SEARCH_BASE_URL: base,
        },
  )
const failureOf = async (asked: Promise<unknown>): Promise<SearchFailure> => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof SearchFailure) return error
  throw new Error('this was to fail as a search does', { cause: error })
}

describe.each(NAMES)('%s', (name) => {
  test('finds pages, the best first, as plain text', async () => {
    const found = await configured(name).search('bank rates', 10, never)
    expect(found.map(({ url }) => url)).toEqual(['https://cbk.example/rates', 'https://news.example/a'])
    expect(found[1]).toEqual({
      url: 'https://news.example/a',
      title: "The bank's view: < 10 %",
      snippet: 'Rates & prices: the "bank" waits.',
    })
  })

  test('returns at most the limit, and nothing if there are no results', async () => {
    expect(await configured(name).search('bank rates', 1, never)).toHaveLength(1)
    expect(await configured(name).search('zzz', 5, never)).toEqual([])
  })

  test.for<[string, SearchFault, SearchFailure['failure'], number | null]>([
    ['a wrong key', { status: 401 }, 'refused', null],
    ['a closed door', { status: 403 }, 'refused', null],
    ['a plan that is used up', { status: 432 }, 'refused', null],
    ['too many questions', tooMany(7), 'limited', 7_000],
    ['too many questions, without saying more', tooMany(), 'limited', null],
    ['an unexpected error', { status: 502, headers: { 'retry-after': '2' } }, 'unavailable', 2_000],
    ['a line that breaks', 'reset', 'unavailable', null],
    ['half an answer', 'malformed', 'bad_answer', null],
    ['an answer without an end', 'huge', 'bad_answer', null],
    ['another shape', { status: 200, body: '{"ok":true}' }, 'bad_answer', null],
    ['nothing at all', { status: 204, body: '' }, 'bad_answer', null],
    ['a page for people', { status: 200, body: '<html>It works!</html>' }, 'bad_answer', null],
  ])('%s is one failure', async ([, fault, failure, pauseMs]) => {
    server.script(fault)
    expect(await failureOf(configured(name).search('bank', 5, never))).toMatchObject({ failure, pauseMs })
  })

  test('a redirect is not followed, so the key is not sent elsewhere', async () => {
    server.script({ status: 302, headers: { location: `${server.url}/elsewhere/search` } })
    expect(await failureOf(configured(name).search('bank', 5, never))).toMatchObject({
      failure: 'bad_answer',
    })
    expect(server.requests).toHaveLength(1)
  })

  test('an abort throws its reason, whatever the provider does', async () => {
    server.script('hang')
    const abort = new AbortController()
    const asked = configured(name).search('bank', 5, abort.signal)
    await expect.poll(() => server.open).toBe(1)
    abort.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect.poll(() => server.open).toBe(0)
  })

  test('invalid items are dropped, and the others are kept', async () => {
    const good = { url: 'https://a.example/', link: 'https://a.example/', title: null, content: 3 }
    const items = [null, 1, 'x', {}, { url: 3 }, { url: 'javascript:1', link: 'ftp://x' }, good]
    const body = JSON.stringify({ results: items, organic: items, web: { results: items } })
    server.script({ status: 200, body })
    expect(await configured(name).search('bank', 5, never)).toEqual([
      { url: 'https://a.example/', title: 'https://a.example/', snippet: '' },
    ])
  })
})

test('an answer may have one mebibyte, and not a byte more', async () => {
  const empty = '{"results":[]}'
  const filled = (bytes: number) => empty + ' '.repeat(bytes - empty.length)
  server.script({ status: 200, body: filled(2 ** 20) }, { status: 200, body: filled(2 ** 20 + 1) })
  expect(await configured('searxng').search('bank', 5, never)).toEqual([])
  expect(await failureOf(configured('searxng').search('bank', 5, never))).toMatchObject({
    failure: 'bad_answer',
  })
})

test.for(NAMES.slice(1))('the key of %s is used, and no error contains it', async (name) => {
  await configured(name).search('bank', 30, never)
  expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY)
  const secret = 'another-canary'
  const failures = [await failureOf(configured(name, secret).search('bank', 5, never))]
  const echo = { status: 500, headers: { 'x-echo': secret }, body: secret }
  for (const fault of [echo, 'reset', 'malformed'] as const) {
    server.script(fault)
    failures.push(await failureOf(configured(name, secret).search('bank', 5, never)))
  }
  failures.push(await failureOf(configured(name, secret, 'http://127.0.0.1:1').search('bank', 5, never)))
  expect(failures[0]).toMatchObject({ failure: 'refused' })
  for (const failure of failures) {
    const { name, message, stack, cause } = failure
    expect(JSON.stringify([failure, name, message, stack, cause])).not.toContain(secret)
  }
})

describe('provider URLs', () => {
  test.for<[SearchClient['name'], path: string, asked: string]>([
    ['searxng', '', '/search?q=bank&format=json'],
    ['searxng', '/', '/search?q=bank&format=json'],
    ['searxng', '/search', '/search?q=bank&format=json'],
    ['searxng', '/deep/search/?language=sw&format=html&q=x', '/deep/search?language=sw&format=json&q=bank'],
    ['searxng', '/research', '/research/search?q=bank&format=json'],
    ['tavily', '/', '/search?'],
    ['serper', '/search', '/search?'],
    ['brave', '/', '/res/v1/web/search?q=bank&count=5'],
    ['brave', '/res/v1/', '/res/v1/web/search?q=bank&count=5'],
    ['brave', '/res/v1/web/search', '/res/v1/web/search?q=bank&count=5'],
  ])('%s configured at %j is called at %s', async ([name, path, asked]) => {
    await configured(name, KEY, server.url + path).search('bank', 5, never)
    expect(server.requests.map((request) => `${request.path}?${request.params}`)).toEqual([asked])
  })

  test('credentials in the SearXNG URL are sent as a header', async () => {
    const base = server.url.replace('//', '//ada:s%40lt@')
    await configured('searxng', KEY, base).search('bank', 5, never)
    const credentials = Buffer.from('ada:s@lt').toString('base64')
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${credentials}`)
  })

  test('proxy variables are ignored', async () => {
    const before = process.env.http_proxy
    process.env.http_proxy = 'http://127.0.0.1:1'
    try {
      expect(await configured('searxng').search('bank', 5, never)).toHaveLength(2)
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
    }
  })
})

describe('a query', () => {
  test('is limited to the strictest provider', async () => {
    await configured('brave').search(`rates \n\t ${'maize '.repeat(200)}`, 50, never)
    await configured('tavily').search('x'.repeat(1_000), 50, never)
    const [brave, tavily] = server.requests
    expect(brave).toMatchObject({ text: `rates ${'maize '.repeat(49)}`.trim(), limit: 20 })
    expect(tavily).toMatchObject({ text: 'x'.repeat(400), limit: 20 })
  })

  test('selects no SearXNG engine', async () => {
    await configured('searxng').search('!!g rates !images', 5, never)
    expect(server.requests[0]?.text).toBe('g rates images')
  })
})

test('SearXNG without a responding engine is unavailable, not empty', async () => {
  server.script({ status: 200, body: '{"results":[],"unresponsive_engines":[["google","timeout"]]}' })
  expect(await failureOf(configured('searxng').search('bank', 5, never))).toMatchObject({
    failure: 'unavailable',
  })
})

test.for<[string, Record<string, string>, number | null]>([
  [
    'a date, by the clock of the provider',
    { date: 'Mon, 16 Nov 2026 08:00:00 GMT', 'retry-after': 'Mon, 16 Nov 2026 08:00:03 GMT' },
    3_000,
  ],
  [
    'what is over',
    { date: 'Mon, 16 Nov 2026 08:00:09 GMT', 'retry-after': 'Mon, 16 Nov 2026 08:00:03 GMT' },
    0,
  ],
  ['garbage', { 'retry-after': 'soon' }, null],
  ['the window that is spent', { 'x-ratelimit-remaining': '0, 900', 'x-ratelimit-reset': '1, 14197' }, 1_000],
  ['the longer window', { 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 14197' }, 14_197_000],
])('how long to wait: %s', async ([, headers, pauseMs]) => {
  server.script({ status: 429, headers })
  expect(await failureOf(configured('brave').search('bank', 5, never))).toMatchObject({ pauseMs })
})

describe('the configuration', () => {
  test('without it there is no provider', () => {
    expect(createSearchClient(readConfig({}, '0'))).toBeNull()
  })

  test.for<[string, Record<string, string>]>([
    ['SERVICE_SEARCH_URL', { SERVICE_SEARCH_URL: 'http://a b,c' }],
    ['SERVICE_SEARCH_API_KEY', { SERVICE_SEARCH_PROVIDER: 'brave' }],
    ['SERVICE_SEARCH_API_KEY', { SERVICE_SEARCH_PROVIDER: 'brave', SERVICE_SEARCH_API_KEY: 'a\nb' }],
    [
      'SERVICE_SEARCH_BASE_URL',
      { SERVICE_SEARCH_PROVIDER: 'brave', SERVICE_SEARCH_API_KEY: 'a', SERVICE_SEARCH_BASE_URL: 'x' },
    ],
  ])('a problem of %s names its variable', ([name, variables]) => {
    expect(() => readConfig(variables, '0')).toThrow(name)
  })
})

describe('texts of providers', () => {
  test.for([
    ['a <b>b</b>ig <br/>deal', 'a big deal'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['&lt;script&gt; &amp;amp; &#39;&#x27;&hellip; &nosuch;', "<script> &amp; ''… &nosuch;"],
    ['zero\u200bwidth \u202eturned\u2066 \u{E0041}tags\0', 'zerowidth turned tags'],
    ['  many \n\t spaces ', 'many spaces'],
    ['&#1114112; &#xD800;', '\uFFFD \uFFFD'],
  ])('%j becomes %j', ([raw = '', plain]) => {
    expect(toTitle(raw)).toBe(plain)
  })

  test('are not cut inside a character', () => {
    expect(toTitle(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}…`)
  })

  test('are limited and printable for any input', () => {
    fc.assert(
      fc.property(fc.uint16Array({ maxLength: 60 }), (units) => {
        const raw = String.fromCharCode(...units)
        const snippet = toSnippet(`${raw.repeat(50)}${'<a &#x'.repeat(200)}`)
        expect(snippet.length).toBeLessThanOrEqual(1_000)
        expect(snippet).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
      }),
      { numRuns: 50 },
    )
  })

  test.for([
    ['https://A.example/ä?q=1#x', 'https://a.example/%C3%A4?q=1#x'],
    ['http:\\\\a.example\\b', 'http://a.example/b'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['/relative', null],
  ])('the URL %j becomes %j', ([raw, url]) => {
    expect(toWebUrl(raw ?? '')).toBe(url)
  })

  test('a URL that is too long is dropped, in any encoding', () => {
    expect(toWebUrl(`https://a.example/${'x'.repeat(2_000)}`)).toBeNull()
    expect(toWebUrl(`https://a.example/${'ä'.repeat(1_000)}`)).toBeNull()
  })
})
